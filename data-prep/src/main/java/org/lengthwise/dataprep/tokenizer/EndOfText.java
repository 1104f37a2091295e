package org.lengthwise.dataprep.tokenizer;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.lengthwise.dataprep.tokenizer.FileTokens.Token;
import org.lengthwise.error.ConfigException;

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
  static final List<String> NAMES =
      List.of("<|endoftext|>", "<|end_of_text|>", "</s>", "<eos>", "<|eos|>", "[EOS]", "[SEP]");

  private static final List<String> FILES_OF_IDS = List.of("config.json", "generation_config.json");
  private static final List<String> IDS =
      List.of("/eos_token_id/0", "/eos_token_id", "/tokenizer/end_of_text");

  private EndOfText() {}

  /** Those files beside a tokenizer that exist. */
  static Stream<Path> filesBeside(Path tokenizer) {
    return Stream.concat(Stream.of(BosRule.SETTINGS), FILES_OF_IDS.stream())
        .map(tokenizer::resolveSibling)
        .filter(Files::isRegularFile);
  }

  static Token of(Path tokenizer, FileTokens tokens) {
    Path settings = tokenizer.resolveSibling(BosRule.SETTINGS);
    JsonNode eos = TokenizerFile.json(settings).path("eos_token");
    String name = eos.path("content").asText(eos.asText("")); // a text, or an object with this text
    if (!name.isEmpty() && !eos.isNull()) {
      return required(tokens.withContent(name), settings + ", eos_token", name);
    }
    for (String file : FILES_OF_IDS) {
      Path config = tokenizer.resolveSibling(file);
      JsonNode json = TokenizerFile.json(config);
      for (String pointer : IDS) {
        JsonNode id = json.at(pointer);
        if (id.isNumber()) {
          return required(tokens.withId(id.asInt(-1)), config + ", " + pointer, id.asText());
        }
      }
    }
    return NAMES.stream()
        .flatMap(known -> tokens.added().stream().filter(token -> token.content().equals(known)))
        .findFirst()
        .orElseThrow(
            () ->
                new ConfigException(
                    tokenizer.toString(),
                    "a token that ends a document: eos_token in %s beside it, or an added token %s"
                        .formatted(BosRule.SETTINGS, String.join(" ", NAMES)),
                    "none",
                    "write {\"eos_token\": \"NAME\"} into %s, with the token of the model's training"
                        .formatted(settings)));
  }

  private static Token required(Optional<Token> token, String where, String found) {
    return token.orElseThrow(
        () ->
            new ConfigException(
                where,
                "a token of tokenizer.json, which ends documents",
                found + ", which is none",
                "use the unchanged files from the model's repository"));
  }
}
