package org.lengthwise.dataprep.tokenizer;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.lengthwise.error.ConfigException;

/**
 * The tokens that a {@code tokenizer.json} lists.
 *
 * @param added those that are searched in texts, in the order of the file; the vocabulary may list
 *     them, too
 */
record FileTokens(List<Token> vocabulary, List<Token> added) {
  /** Far more than any tokenizer has; tables by id need memory. */
  private static final int MOST_IDS = 1 << 24;

  /** A token; a special one stands for no text. */
  record Token(String content, int id, boolean isSpecial) {}

  static FileTokens of(Path path, JsonNode root) {
    String where = path + ", added_tokens";
    List<Token> vocabulary = vocabulary(path + ", model.vocab", root.at("/model/vocab"));
    Map<String, Integer> ids = new HashMap<>();
    vocabulary.forEach(token -> ids.put(token.content(), token.id()));
    List<Token> added = new ArrayList<>();
    for (JsonNode json : root.path("added_tokens")) {
      String content = json.path("content").asText();
      Token token =
          new Token(content, id(where, json.path("id")), json.path("special").asBoolean());
      Integer other = ids.putIfAbsent(content, token.id());
      if (other != null && other != token.id()) {
        throw unusable(where, "one id of " + content, other + " and " + token.id());
      }
      if (!content.isEmpty()) { // the engine ignores it, too
        added.add(token);
      }
    }
    return new FileTokens(vocabulary, added);
  }

  private static List<Token> vocabulary(String where, JsonNode vocabulary) {
    List<Token> tokens = new ArrayList<>();
    if (vocabulary.isArray()) { // Unigram: the index is the id
      vocabulary.forEach(
          pair -> tokens.add(new Token(pair.path(0).asText(), tokens.size(), false)));
    } else {
      vocabulary
          .properties()
          .forEach(id -> tokens.add(new Token(id.getKey(), id(where, id.getValue()), false)));
      tokens.sort(Comparator.comparingInt(Token::id));
    }
    return tokens;
  }

  private static int id(String where, JsonNode id) {
    if (!id.isInt() || id.intValue() < 0 || id.intValue() >= MOST_IDS) {
      String found = id.isMissingNode() ? "none" : id.toString();
      throw unusable(where, "ids from 0 to " + (MOST_IDS - 1), found);
    }
    return id.intValue();
  }

  static ConfigException unusable(String where, String expected, String found) {
    String next = "use the unchanged file from the model's repository";
    return new ConfigException(where, expected, found, next);
  }

  int vocabularySize() {
    return 1 + all().mapToInt(Token::id).max().orElse(-1);
  }

  Stream<Token> all() {
    return Stream.concat(added.stream(), vocabulary.stream());
  }
}
