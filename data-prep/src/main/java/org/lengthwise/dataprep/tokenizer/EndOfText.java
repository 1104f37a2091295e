package org.lengthwise.dataprep.tokenizer;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import org.lengthwise.dataprep.tokenizer.FileTokens.Token;

/**
 * Finds the token that ends a document.
 *
 * <p>The files beside {@code tokenizer.json} name it: {@code eos_token} of {@code
 * tokenizer_config.json}, or else {@code eos_token_id}, the first of several, of {@code
 * config.json} or {@code generation_config.json}. The {@code config.json} of a checkpoint stores
 * the id, too. If none of them does, it is the first of some names among the added tokens.
 */
final class EndOfText {
  /** Names in published tokenizers, the least ambiguous first. */
  private static final List<String> NAMES =
      List.of("<|endoftext|>", "<|end_of_text|>", "</s>", "<eos>", "<|eos|>", "[EOS]", "[SEP]");

  /** The files that name it, if they exist. */
  static final List<String> FILES =
      List.of(BosRule.SETTINGS, "config.json", "generation_config.json");

  private static final String KEYS =
      "/eos_token/content /eos_token /eos_token_id/0 /eos_token_id /tokenizer/end_of_text";

  private static final String ENDS = "a token of tokenizer.json that ends a document";

  private EndOfText() {}

  static Token of(Path tokenizer, FileTokens tokens) {
    for (Path file : FILES.stream().map(tokenizer::resolveSibling).toList()) {
      JsonNode json = TokenizerFile.json(file);
      for (String key : KEYS.split(" ", -1)) {
        JsonNode end = json.at(key);
        if (end.isTextual() || end.isNumber()) {
          String named = end.asText();
          return tokens
              .all()
              .filter(token -> named.equals(end.isNumber() ? "" + token.id() : token.content()))
              .findFirst()
              .orElseThrow(() -> FileTokens.unusable(file + ": " + key, ENDS, named));
        }
      }
    }
    return NAMES.stream()
        .flatMap(known -> tokens.added().stream().filter(token -> token.content().equals(known)))
        .findFirst()
        .orElseThrow(
            () ->
                FileTokens.unusable(
                    tokenizer.toString(),
                    ENDS
                        + ": {\"eos_token\": \"NAME\"} in tokenizer_config.json"
                        + " beside it, or an added token "
                        + String.join(" ", NAMES),
                    "none"));
  }
}
