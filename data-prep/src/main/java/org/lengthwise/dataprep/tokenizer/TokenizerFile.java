package org.lengthwise.dataprep.tokenizer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.lengthwise.artifact.Sha256;
import org.lengthwise.error.ConfigException;

/**
 * The content of a Hugging Face {@code tokenizer.json}, and a changed copy for the engine.
 *
 * <p>The engine encodes the characters of a special token in a document as that token. So the copy
 * removes special tokens from the list of tokens that are searched in texts, and hides them from
 * the model (see {@link SpecialTokens}). It also removes truncation, padding and the
 * post-processor, because documents are encoded whole and without further tokens.
 *
 * @param path the file
 * @param sha256 the SHA-256 of the file
 * @param vocabularySize the largest id, added tokens included, plus 1
 * @param endOfText the id of the first of {@link #END_OF_TEXT_NAMES} among the added tokens
 * @param engineJson the changed copy
 * @param mayBeCut whether long texts may be encoded in parts (see {@link SafeCuts})
 * @param text the sizes of the texts that tokens stand for
 */
record TokenizerFile(
    Path path,
    String sha256,
    int vocabularySize,
    int endOfText,
    String engineJson,
    boolean mayBeCut,
    TokenText text) {

  /** Names of end-of-text in published tokenizers, the least ambiguous first. */
  static final List<String> END_OF_TEXT_NAMES =
      List.of("<|endoftext|>", "<|end_of_text|>", "</s>", "<eos>", "<|eos|>", "[EOS]", "[SEP]");

  static TokenizerFile read(Path path) {
    try {
      byte[] content = Files.readAllBytes(path);
      ObjectMapper mapper = new ObjectMapper();
      if (!(mapper.readTree(content) instanceof ObjectNode root) || !root.has("model")) {
        throw new IOException("a JSON document without \"model\"");
      }
      int size = vocabularySize(root);
      int endOfText = endOfText(path, root);
      ObjectNode bare = bare(root);
      return new TokenizerFile(
          path,
          Sha256.of(content),
          size,
          endOfText,
          mapper.writeValueAsString(bare),
          SafeCuts.allowedBy(bare),
          new TokenText(root, size));
    } catch (IOException e) {
      throw unusable(path, String.valueOf(e.getMessage()), e);
    }
  }

  private static int vocabularySize(ObjectNode root) {
    int largest = -1;
    JsonNode vocabulary = root.path("model").path("vocab");
    if (vocabulary.isArray()) { // Unigram: the index is the id
      largest = vocabulary.size() - 1;
    } else {
      for (JsonNode id : vocabulary) {
        largest = Math.max(largest, id.asInt());
      }
    }
    for (JsonNode token : root.path("added_tokens")) {
      largest = Math.max(largest, token.path("id").asInt());
    }
    return largest + 1;
  }

  private static int endOfText(Path path, ObjectNode root) {
    for (String name : END_OF_TEXT_NAMES) {
      for (JsonNode token : root.path("added_tokens")) {
        if (name.equals(token.path("content").asText())) {
          return token.path("id").asInt();
        }
      }
    }
    throw new ConfigException(
        path + ", added_tokens",
        "a token that ends a document, one of " + String.join(" ", END_OF_TEXT_NAMES),
        "none of them",
        "add such a token to added_tokens, with a new id");
  }

  private static ObjectNode bare(ObjectNode root) {
    ObjectNode bare = root.deepCopy();
    bare.putNull("truncation");
    bare.putNull("padding");
    bare.putNull("post_processor");
    ArrayNode searched = bare.putArray("added_tokens");
    Set<String> hidden = new HashSet<>(END_OF_TEXT_NAMES);
    for (JsonNode token : root.path("added_tokens")) {
      String name = token.path("content").asText();
      if (isSpecial(token)) {
        hidden.add(name);
      } else {
        searched.add(token);
      }
    }
    if (bare.path("model") instanceof ObjectNode model) {
      SpecialTokens.hide(hidden, model);
    }
    return bare;
  }

  /** Whether an added token stands for no text. */
  static boolean isSpecial(JsonNode token) {
    return token.path("special").asBoolean()
        || END_OF_TEXT_NAMES.contains(token.path("content").asText());
  }

  static ConfigException unusable(Path path, String found, Throwable cause) {
    String expected = "a readable Hugging Face tokenizer.json";
    String next = "use the unchanged file from the model's repository";
    return new ConfigException(path.toString(), expected, found, next, cause);
  }
}
