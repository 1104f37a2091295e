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
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.artifact.Sha256;

/**
 * What a Hugging Face {@code tokenizer.json} says, and the form of it that is handed to the engine.
 *
 * <p>The engine would turn a special token that a document happens to spell into that token's id.
 * So special tokens are taken out of the list that text is searched for and, see {@link
 * SpecialTokens}, out of the model's reach; truncation, padding and the tokens of the
 * post-processor go as well, because documents are encoded whole and bare.
 *
 * @param path the file
 * @param sha256 digest of the file as it lies there
 * @param vocabularySize one more than the largest id, added tokens included
 * @param endOfText id of the first of {@link #END_OF_TEXT_NAMES} among the added tokens
 * @param engineJson the file's content without special tokens, truncation, padding, post-processor
 * @param mayBeCut whether a long text may be encoded in parts, see {@link SafeCuts}
 */
record TokenizerFile(
    Path path,
    String sha256,
    int vocabularySize,
    int endOfText,
    String engineJson,
    boolean mayBeCut) {

  /** What published tokenizers call the end of a document, the most telling names first. */
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
          SafeCuts.allowedBy(bare));
    } catch (IOException e) {
      throw unusable(path, String.valueOf(e.getMessage()), e);
    }
  }

  private static int vocabularySize(ObjectNode root) {
    int largest = -1;
    JsonNode vocabulary = root.path("model").path("vocab");
    if (vocabulary.isArray()) { // Unigram: the position is the id
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
        "add one to added_tokens, with an id of its own");
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
      if (token.path("special").asBoolean() || END_OF_TEXT_NAMES.contains(name)) {
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

  static ConfigException unusable(Path path, String found, Throwable cause) {
    String expected = "a readable Hugging Face tokenizer.json";
    String next = "take the file from the model's repository as it is published there";
    return new ConfigException(path.toString(), expected, found, next, cause);
  }
}
