package org.lengthwise.dataprep.tokenizer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lengthwise.error.ConfigException;

/**
 * The tokens that a {@code tokenizer.json} lists.
 *
 * @param vocabulary those of the model, in the order of their ids
 * @param added those that are searched in texts, in the order of the file; the vocabulary may list
 *     them, too
 */
record FileTokens(List<Token> vocabulary, List<Token> added) {
  /** Far more than any tokenizer has; tables by id need memory. */
  private static final int MOST_IDS = 1 << 24;

  /**
   * A token.
   *
   * @param isSpecial whether the file says that it stands for no text
   */
  record Token(String content, int id, boolean isSpecial) {}

  /** Reads the content of a file. Requires that a token has one id in both lists. */
  static FileTokens of(Path path, ObjectNode root) {
    String where = path + ", added_tokens";
    FileTokens tokens =
        new FileTokens(
            vocabulary(path + ", model.vocab", root.path("model").path("vocab")),
            Stream.iterate(0, i -> i + 1)
                .limit(root.path("added_tokens").size())
                .map(i -> root.path("added_tokens").path(i))
                .map(token -> token(where, token))
                .filter(token -> !token.content().isEmpty())
                .toList());
    Map<String, Integer> ids = new HashMap<>();
    tokens.vocabulary.forEach(token -> ids.put(token.content(), token.id()));
    for (Token token : tokens.added) {
      Integer other = ids.putIfAbsent(token.content(), token.id());
      if (other != null && other != token.id()) {
        throw unusable(where, "one id of " + token.content(), other + " and " + token.id());
      }
    }
    return tokens;
  }

  private static List<Token> vocabulary(String where, JsonNode vocabulary) {
    if (vocabulary.isArray()) { // Unigram: the index is the id
      return IntStream.range(0, vocabulary.size())
          .mapToObj(id -> new Token(vocabulary.path(id).path(0).asText(), id, false))
          .toList();
    }
    List<Token> tokens = new ArrayList<>();
    vocabulary
        .properties()
        .forEach(
            token -> tokens.add(new Token(token.getKey(), id(where, token.getValue()), false)));
    tokens.sort(Comparator.comparingInt(Token::id));
    return tokens;
  }

  private static Token token(String where, JsonNode token) {
    if (!token.path("content").isTextual()) {
      throw unusable(where, "tokens with a text under content", token.toString());
    }
    return new Token(
        token.path("content").textValue(),
        id(where, token.path("id")),
        token.path("special").asBoolean());
  }

  private static int id(String where, JsonNode id) {
    if (!id.isInt() || id.intValue() < 0 || id.intValue() >= MOST_IDS) {
      throw unusable(where, "ids from 0 to " + (MOST_IDS - 1), id.toString());
    }
    return id.intValue();
  }

  static ConfigException unusable(String where, String expected, String found) {
    String next = "use the unchanged file from the model's repository";
    return new ConfigException(where, expected, found.isEmpty() ? "none" : found, next);
  }

  Optional<Token> withContent(String content) {
    return all().filter(token -> token.content().equals(content)).findFirst();
  }

  Optional<Token> withId(int id) {
    return all().filter(token -> token.id() == id).findFirst();
  }

  /** The added tokens, then the vocabulary. */
  private Stream<Token> all() {
    return Stream.concat(added.stream(), vocabulary.stream());
  }

  /** V, the largest id plus 1. */
  int vocabularySize() {
    return 1 + all().mapToInt(Token::id).max().orElse(-1);
  }
}
