package org.lengthwise.training.interchange;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.error.ConfigException;
import org.lengthwise.model.ModelConfig;

/**
 * What a config.json says of a model.
 *
 * @param length T_tr: the positions before a scaling of RoPE, otherwise the longest length
 */
record FamilyConfig(Family family, ModelConfig model, int length) {
  /** The keys of config.json that decide a value, by our key, where they differ. */
  private static final Map<String, List<String>> KEYS =
      Map.of(
          "heads", List.of("num_attention_heads", "n_head", "n_heads"),
          "key_heads", List.of("num_key_value_heads"),
          "base", List.of("rope_theta", "rotary_emb_base"),
          "share", List.of("rotary_pct", "partial_rotary_factor"),
          "high_factor", List.of("high_freq_factor"),
          "short_factors", List.of("short_factor"),
          "long_factors", List.of("long_factor"));

  /** Refuses a model that the decoder cannot compute. */
  static FamilyConfig read(Path file) throws IOException {
    return of(ConfigJson.read(file));
  }

  static FamilyConfig of(ConfigJson json) {
    String type = json.word("model_type", "none", Family.labels());
    if (json.has("quantization_config")) {
      throw new ConfigException(
          json.where() + "quantization_config",
          "weights that are not quantized",
          json.json().at("/quantization_config/quant_method").asText("quantized ones"),
          "use the model without quantization, or write a plain copy in Python: transformers"
              + ".AutoModelForCausalLM.from_pretrained(\"DIR\").dequantize().save_pretrained(\"NEW\")");
    }
    try {
      return new FamilyReader(Family.of(type), json).config();
    } catch (InvalidValueException e) {
      String own = e.key().substring(e.key().lastIndexOf('.') + 1);
      throw json.refused(KEYS.getOrDefault(own, List.of(own)), e.expected(), e.found());
    }
  }

  /** A value in which two models differ, by its key in a run's configuration. */
  record Difference(String key, String own, String other) {}

  /** The differences to another model, except those that change no computation. */
  List<Difference> differences(ModelConfig other) {
    List<Difference> differences = new ArrayList<>();
    compare("", resolved(model), resolved(other), differences);
    JsonNode temperature = resolved(other).path("position").path("temperature");
    if (!temperature.isMissingNode()) { // no family has one
      differences.add(
          new Difference("position.temperature", "none", temperature.path("name").asText()));
    }
    return differences;
  }

  /** A shape as JSON, with all widths and without the distribution of initial weights. */
  private static JsonNode resolved(ModelConfig model) {
    ObjectNode json = ConfigLoader.strictMapper().valueToTree(model);
    ObjectNode form = (ObjectNode) json.path("form");
    form.remove("initial");
    ((ObjectNode) form.path("mlp")).put("width", model.mlpWidth());
    ObjectNode attention = (ObjectNode) form.path("attention");
    attention.put("key_heads", model.keyHeads()).put("head_width", model.headWidth());
    if (!model.form().attentionBias()) {
      attention.remove("output_bias");
    }
    return json;
  }

  private static void compare(
      String key, JsonNode own, JsonNode other, List<Difference> differences) {
    String inside = key.isEmpty() ? "" : key + ".";
    for (String choice : List.of("scheme", "type")) {
      if (!own.path(choice).equals(other.path(choice))) {
        compare(inside + choice, own.path(choice), other.path(choice), differences);
        return;
      }
    }
    if (own.isObject() && other.isObject()) {
      own.properties()
          .forEach(
              field ->
                  compare(
                      inside + field.getKey(),
                      field.getValue(),
                      other.path(field.getKey()),
                      differences));
    } else if (!own.equals(other)) {
      differences.add(
          new Difference(key.replaceFirst("^form\\.", "model."), text(own), text(other)));
    }
  }

  private static String text(JsonNode value) {
    return value.isValueNode() ? value.asText() : value.toString();
  }
}
