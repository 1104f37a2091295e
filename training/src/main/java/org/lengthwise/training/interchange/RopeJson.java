package org.lengthwise.training.interchange;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.lengthwise.positional.RopeScaling;

/**
 * The scaling of RoPE in a config.json: {@code rope_scaling} or, since 2025, {@code
 * rope_parameters}. Releases of transformers prefer one or the other, so both must agree.
 *
 * @param original the longest length before the scaling
 */
record RopeJson(ConfigJson json, String type, int longest, int original) {
  private static final String NO_SCALING = "default";
  private static final String ORIGINAL = "original_max_position_embeddings";

  /** Its keys, the newer one first. */
  private static final List<String> TYPE = List.of("rope_type", "type");

  private static final List<String> TYPES =
      List.of(NO_SCALING, "linear", "dynamic", "yarn", "llama3", "longrope");

  /** Their keys by ours, where they differ. */
  private static final Map<String, String> KEYS =
      Map.of(
          "type", "rope_type",
          "original", ORIGINAL,
          "low_factor", "low_freq_factor",
          "high_factor", "high_freq_factor",
          "short_factors", "short_factor",
          "long_factors", "long_factor");

  /** The keys that are read, and {@code finetuned}, which changes no numbers. */
  private static final String READ =
      " rope_type type rope_theta partial_rotary_factor factor attention_factor beta_fast beta_slow"
          + " mscale mscale_all_dim truncate low_freq_factor high_freq_factor short_factor"
          + " long_factor original_max_position_embeddings finetuned ";

  /** {@code rope_parameters}, or its object for the kinds of layers if all layers have the same. */
  static ConfigJson parameters(ConfigJson model) {
    ConfigJson json = model.object("rope_parameters");
    if (json.json().properties().stream().noneMatch(field -> field.getValue().isObject())) {
      return json;
    }
    json.json().properties().forEach(field -> json.object(field.getKey())); // refuses other values
    List<String> types = model.elements("layer_types").map(JsonNode::asText).distinct().toList();
    List<String> kinds = types.isEmpty() ? List.of("full_attention") : types;
    List<ConfigJson> stated = kinds.stream().filter(json::has).map(json::object).toList();
    long numRotations = stated.stream().map(ConfigJson::json).distinct().count();
    if (stated.size() < kinds.size() || numRotations != 1) {
      throw model.refused("rope_parameters", "one rotation for all layers, which are " + kinds);
    }
    return stated.get(0);
  }

  static RopeJson of(ConfigJson model, int longest) {
    ConfigJson older = model.object("rope_scaling");
    ConfigJson newer = parameters(model);
    for (Map.Entry<String, JsonNode> field : newer.json().properties()) {
      String key = TYPE.contains(field.getKey()) ? typeKey(older) : field.getKey();
      JsonNode value = field.getValue();
      if (older.has(key) && !value.isNull() && !areEqual(older.json().get(key), value)) {
        throw older.refused(key, "%s, as in rope_parameters".formatted(value));
      }
    }
    ConfigJson json = older.overlaid(newer);
    for (String name : (Iterable<String>) json.json()::fieldNames) {
      if (json.has(name) && !READ.contains(" " + name + " ")) {
        throw json.refused(name, "no such key");
      }
    }
    String key = typeKey(json);
    if (json.has("factor") && !json.has(key)) {
      throw json.refused("rope_type", "one of " + String.join(", ", TYPES));
    }
    String type = json.word(key, NO_SCALING, TYPES);
    if (json.has("factor") && type.equals(NO_SCALING)) {
      throw json.refused(key, "a scaling, because there is a factor");
    }
    int original = json.size(ORIGINAL, longest);
    int top = model.size(ORIGINAL, original);
    boolean isLong = type.equals("longrope");
    if (top != original && (type.equals("yarn") || type.equals("llama3"))) {
      throw model.refused(ORIGINAL, "%s, as in the scaling".formatted(original));
    }
    if (isLong
        && model.has(ORIGINAL)
        && json.has("factor")
        && json.number("factor") * top != longest) {
      throw json.refused("factor", "max_position_embeddings / " + ORIGINAL);
    }
    return new RopeJson(json, type, longest, isLong ? top : original);
  }

  private static String typeKey(ConfigJson json) {
    return TYPE.stream().filter(json::has).findFirst().orElse("type");
  }

  private static boolean areEqual(JsonNode left, JsonNode right) {
    boolean areNumbers = left.isNumber() && right.isNumber();
    return areNumbers ? left.doubleValue() == right.doubleValue() : left.equals(right);
  }

  RopeScaling scaling() {
    return switch (type) {
      case "linear" -> new RopeScaling.Linear(json.number("factor"));
      case "dynamic" -> new RopeScaling.Dynamic(json.number("factor"), longest);
      case "yarn" ->
          new RopeScaling.Yarn(
              json.number("factor"),
              original,
              json.number("beta_fast", 32),
              json.number("beta_slow", 1),
              attentionFactor(yarnFactor(json.number("factor")), "factor"),
              json.flag("truncate", true));
      case "llama3" ->
          new RopeScaling.Llama3(
              json.number("factor"),
              json.number("low_freq_factor"),
              json.number("high_freq_factor"),
              original);
      case "longrope" ->
          new RopeScaling.LongRope(
              json.numbers("short_factor"),
              json.numbers("long_factor"),
              original,
              attentionFactor(longFactor(), ORIGINAL));
      default -> RopeScaling.none();
    };
  }

  /** The factor that is stated, or the usual one, which a key decides. */
  private double attentionFactor(double usual, String key) {
    double factor = json.number("attention_factor", usual);
    if (!(factor > 0) || Double.isInfinite(factor)) {
      throw json.refused(
          List.of(key), "a number that gives a finite attention_factor above 0", "" + original);
    }
    return factor;
  }

  private double yarnFactor(double factor) {
    boolean isStated = json.has("mscale") && json.has("mscale_all_dim");
    return isStated
        ? RopeScaling.Yarn.attentionFactor(factor, json.number("mscale"))
            / RopeScaling.Yarn.attentionFactor(factor, json.number("mscale_all_dim"))
        : RopeScaling.Yarn.attentionFactor(factor, 1);
  }

  private double longFactor() {
    double factor = json.number("factor", (double) longest / original);
    return factor <= 1 ? 1 : Math.sqrt(1 + Math.log(factor) / Math.log(original));
  }

  /** Writes the keys of a scheme with rotations. */
  static void write(ObjectNode config, String baseKey, JsonNode position, int length) {
    config.put(baseKey, position.path("base").doubleValue());
    JsonNode scaling = position.path("scaling");
    String type = scaling.path("type").asText("none");
    int original = scaling.path("original").asInt(length);
    boolean isStretched = type.equals("yarn") || type.equals("llama3");
    double longest = isStretched ? original * scaling.path("factor").doubleValue() : original;
    config.put("max_position_embeddings", scaling.path("limit").asInt((int) longest));
    if (type.equals("none")) {
      config.putNull("rope_scaling");
      return;
    }
    ObjectNode written = config.putObject("rope_scaling").put(ORIGINAL, original);
    scaling
        .properties()
        .forEach(
            field ->
                written.set(KEYS.getOrDefault(field.getKey(), field.getKey()), field.getValue()));
    written.remove("limit");
    if (type.equals("longrope")) {
      config.put(ORIGINAL, original);
    }
  }
}
