package org.lengthwise.dataprep.tokenizer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.lengthwise.artifact.Sha256;
import org.lengthwise.config.JsonFault;
import org.lengthwise.dataprep.tokenizer.FileTokens.Token;
import org.lengthwise.error.ConfigException;
import org.lengthwise.input.GitLfsPointer;

/**
 * The content of a Hugging Face {@code tokenizer.json}, and a changed copy for the engine.
 *
 * <p>The engine encodes the characters of a special token in a document as that token. So the copy
 * removes special tokens from the list of tokens that are searched in texts, and hides them from
 * the model (see {@link SpecialTokens}). It also removes truncation, padding and the
 * post-processor, because documents are encoded whole and without further tokens. Ids of the copy
 * differ from the file's (see {@link TokenIds}).
 */
record TokenizerFile(
    Path path,
    String sha256,
    int vocabularySize,
    int endOfText,
    TokenIds ids,
    String engineJson,
    boolean mayBeCut,
    TokenText text) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  static TokenizerFile read(Path path) {
    if (!(json(path) instanceof ObjectNode root)
        || !(root.path("model") instanceof ObjectNode model)) {
      throw FileTokens.unusable(path.toString(), "a JSON object with the object `model`", "none");
    }
    FileTokens tokens = FileTokens.of(path, root);
    Token endOfText = EndOfText.of(path, tokens);
    Set<String> special = new HashSet<>(Set.of(endOfText.content()));
    tokens.added().stream().filter(Token::isSpecial).map(Token::content).forEach(special::add);
    Set<String> hidden = new HashSet<>(special);
    hidden.remove(model.path("unk_token").asText());
    hidden.remove(model.path("vocab").path(model.path("unk_id").asInt(-1)).path(0).asText());
    ObjectNode copy = copy(root, tokens, special);
    SpecialTokens.hide(hidden, (ObjectNode) copy.path("model"));
    return new TokenizerFile(
        path,
        Sha256.of(content(path)),
        tokens.vocabularySize(),
        endOfText.id(),
        new TokenIds(tokens, special, hidden),
        copy.toString(),
        SafeCuts.allowedBy(copy),
        new TokenText(root, tokens, special));
  }

  private static ObjectNode copy(ObjectNode root, FileTokens tokens, Set<String> special) {
    ObjectNode copy = root.deepCopy();
    copy.putNull("truncation");
    copy.putNull("padding");
    copy.putNull("post_processor");
    ArrayNode searched = copy.putArray("added_tokens");
    for (JsonNode token : root.path("added_tokens")) {
      if (!special.contains(token.path("content").asText())) {
        searched.add(token);
      }
    }
    if (copy.at("/model/vocab") instanceof ObjectNode vocabulary) {
      for (int id = 0; id < tokens.vocabulary().size(); id++) { // a gap ends
        vocabulary.put(tokens.vocabulary().get(id).content(), id);
      }
    }
    return copy;
  }

  /** The content of a JSON file beside a tokenizer, or of its own; empty if there is no file. */
  static JsonNode json(Path file) {
    try {
      return Files.isRegularFile(file) ? MAPPER.readTree(content(file)) : MAPPER.createObjectNode();
    } catch (IOException e) {
      throw unusable(file, JsonFault.inWords(e), e);
    }
  }

  private static byte[] content(Path file) {
    try {
      byte[] content = Files.readAllBytes(file);
      GitLfsPointer.refuse(file.toString(), content);
      return content;
    } catch (IOException e) {
      throw unusable(file, String.valueOf(e.getMessage()), e);
    }
  }

  static ConfigException unusable(Path path, String found, Throwable cause) {
    return new ConfigException(
        path.toString(),
        "a readable JSON file of a Hugging Face tokenizer",
        found,
        "use the unchanged file from the model's repository",
        cause);
  }
}
