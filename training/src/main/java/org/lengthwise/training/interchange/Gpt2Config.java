package org.lengthwise.training.interchange;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.positional.Learned;
import org.lengthwise.training.checkpoint.ModelOrigin;

/**
 * The {@code config.json} of a GPT-2 in Hugging Face's layout: the model's shape, and settings that
 * must have the values of our decoder.
 */
final class Gpt2Config {
  static final String FILE = "config.json";

  private static final String ACTIVATION = "activation_function";
  private static final String EPSILON = "layer_norm_epsilon";

  /** Two names of the tanh approximation of GELU. */
  private static final Set<String> GELU_BY_TANH = Set.of("gelu_new", "gelu_pytorch_tanh");

  private static final double OUR_EPSILON = 1e-5;
  private static final double OUR_DEVIATION = 0.02;

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Path file;
  private final JsonNode json;

  private Gpt2Config(Path file, JsonNode json) {
    this.file = file;
    this.json = json;
  }

  /** Reads a file. Rejects settings that the decoder does not support. */
  static ModelConfig read(Path file) throws IOException {
    try {
      Gpt2Config config = new Gpt2Config(file, MAPPER.readTree(Files.readAllBytes(file)));
      config.requireOurComputation();
      return config.model();
    } catch (JsonProcessingException e) {
      throw new DataFormatException(
          file.toString(), "a JSON object", e.getOriginalMessage(), "download the file again", e);
    }
  }

  private void requireOurComputation() {
    require("model_type", Set.of("gpt2"), json.path("model_type").asText("gpt2"));
    require(ACTIVATION, GELU_BY_TANH, json.path(ACTIVATION).asText("none"));
    require(EPSILON, Set.of(OUR_EPSILON), json.path(EPSILON).asDouble(Double.NaN));
    require(
        "n_inner", Set.of(4 * number("n_embd")), json.path("n_inner").asInt(4 * number("n_embd")));
    require("scale_attn_weights", Set.of(true), json.path("scale_attn_weights").asBoolean(true));
    for (String switched : List.of("scale_attn_by_inverse_layer_idx", "add_cross_attention")) {
      require(switched, Set.of(false), json.path(switched).asBoolean(false));
    }
  }

  private <T> void require(String key, Set<T> expected, T found) {
    if (!expected.contains(found)) {
      throw new DataFormatException(
          file + ": " + key,
          String.join(" or ", expected.stream().map(String::valueOf).sorted().toList()),
          String.valueOf(found),
          "other settings are not supported: use another checkpoint");
    }
  }

  private int number(String key) {
    JsonNode value = json.path(key);
    if (!value.canConvertToInt() || value.intValue() < 1) {
      throw new DataFormatException(
          file + ": " + key,
          "a positive integer",
          value.isMissingNode() ? "no such key" : value.toString(),
          "use the config.json of a GPT-2 in Hugging Face's layout");
    }
    return value.intValue();
  }

  private ModelConfig model() {
    try {
      return new ModelConfig(
          number("n_layer"),
          number("n_embd"),
          number("n_head"),
          number("vocab_size"),
          new Learned(number("n_positions")));
    } catch (IllegalArgumentException e) {
      throw new DataFormatException(
          file.toString(),
          "the shape of a model",
          String.valueOf(e.getMessage()),
          "use another checkpoint",
          e);
    }
  }

  /** Writes the configuration of a model with learned positions. */
  static void write(Path file, ModelOrigin origin) throws IOException {
    ModelConfig model = origin.model();
    long positions = model.position().longestLength();
    ObjectNode json =
        MAPPER
            .createObjectNode()
            .put("model_type", "gpt2")
            .put("n_layer", model.layers())
            .put("n_embd", model.width())
            .put("n_head", model.heads())
            .put("n_positions", positions)
            .put("n_ctx", positions)
            .put("vocab_size", model.vocabulary())
            .put(EPSILON, OUR_EPSILON)
            .put(ACTIVATION, "gelu_new")
            .put("attn_pdrop", 0.0)
            .put("embd_pdrop", 0.0)
            .put("resid_pdrop", 0.0)
            .put("initializer_range", OUR_DEVIATION)
            .put("tie_word_embeddings", true)
            .put("bos_token_id", origin.tokenizer().endOfText())
            .put("eos_token_id", origin.tokenizer().endOfText())
            .put("torch_dtype", "float32");
    json.putArray("architectures").add("GPT2LMHeadModel");
    MAPPER.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), json);
  }
}
