package org.lengthwise.dataprep.tokenizer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.lengthwise.error.ConfigException;

/**
 * Whether a model was trained on documents that begin with BOS, its token for the beginning of a
 * text. Only the model reads it: {@link Tokenizer#encode} and shards have none.
 *
 * <p>{@code tokenizer.json} tells it: the first token that a TemplateProcessing adds, also in a
 * Sequence; else {@code add_bos_token} of {@code tokenizer_config.json}.
 *
 * @param id the id of BOS; null if documents begin without it
 * @param source the file, and the key that tells the rule
 */
public record BosRule(@Nullable Integer id, String source) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String CONFIG = "config.json";
  static final String SETTINGS = "tokenizer_config.json";

  /**
   * Reads the rule of a model.
   *
   * @throws ConfigException if a file cannot be read, or the id of BOS is unknown
   */
  public static BosRule of(Path tokenizer) {
    JsonNode file = TokenizerFile.json(tokenizer);
    Optional<JsonNode> template = template(file.path("post_processor"));
    if (template.isPresent()) {
      String name = template.get().at("/single/0/SpecialToken/id").asText();
      JsonNode ids = template.get().path("special_tokens").path(name).path("ids");
      return with(ids.size() == 1 ? ids.path(0) : ids, name, tokenizer, "post_processor");
    }
    JsonNode settings = TokenizerFile.json(tokenizer.resolveSibling(SETTINGS));
    if (!settings.path("add_bos_token").booleanValue()) {
      return new BosRule(null, "%s and %s name none".formatted(tokenizer.getFileName(), SETTINGS));
    }
    JsonNode bos = settings.path("bos_token"); // a text, or an object with this text
    String name = bos.path("content").asText(bos.asText());
    JsonNode id =
        elements(file.path("added_tokens"))
            .filter(token -> token.path("content").asText().equals(name))
            .map(token -> token.path("id"))
            .findFirst()
            .orElseGet(
                () -> TokenizerFile.json(tokenizer.resolveSibling(CONFIG)).path("bos_token_id"));
    return with(id, name, tokenizer.resolveSibling(SETTINGS), "add_bos_token");
  }

  /**
   * Writes {@code tokenizer_config.json}: the class of transformers that reads a {@code
   * tokenizer.json} as it is, the end-of-text token, and that a model reads BOS, unless its {@code
   * tokenizer.json} tells it. Releases before 5 of transformers ignore {@code add_bos_token} here.
   *
   * @param endOfText the id of the token that ends a text
   * @return whether other programs begin a text as the model was trained
   */
  public static boolean write(Path tokenizer, Optional<Integer> bos, int endOfText)
      throws IOException {
    ObjectNode settings =
        MAPPER.createObjectNode().put("tokenizer_class", "PreTrainedTokenizerFast");
    JsonNode added = TokenizerFile.json(tokenizer).path("added_tokens");
    put(settings, "eos_token", added, endOfText);
    Integer own = of(tokenizer).id();
    if (bos.isPresent() && !bos.get().equals(own)) {
      settings.put("add_bos_token", true);
      put(settings, "bos_token", added, bos.get());
    }
    MAPPER.writeValue(tokenizer.resolveSibling(SETTINGS).toFile(), settings);
    return bos.isPresent() || own == null;
  }

  private static void put(ObjectNode settings, String key, JsonNode added, int id) {
    elements(added)
        .filter(token -> token.path("id").asInt() == id)
        .forEach(token -> settings.set(key, token.path("content")));
  }

  private static BosRule with(JsonNode id, String name, Path file, String key) {
    if (!id.isIntegralNumber() || !id.canConvertToInt() || id.intValue() < 0) {
      throw FileTokens.unusable(
          file + ", " + key,
          "one id of the token %s, which begins documents".formatted(name),
          id.isMissingNode() ? "none" : id.toString());
    }
    return new BosRule(id.intValue(), "%s, %s".formatted(file.getFileName(), key));
  }

  private static Optional<JsonNode> template(JsonNode processor) {
    return processor.at("/single/0").has("SpecialToken")
        ? Optional.of(processor)
        : elements(processor.path("processors"))
            .flatMap(inner -> template(inner).stream())
            .findFirst();
  }

  private static Stream<JsonNode> elements(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false);
  }

  /** {@return the rule in words, such as {@code begins with BOS, id 1 (tokenizer.json, ...)}} */
  public String inWords() {
    return "begins %s (%s)".formatted(id == null ? "without BOS" : "with BOS, id " + id, source);
  }
}
