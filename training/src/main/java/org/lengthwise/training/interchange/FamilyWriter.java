package org.lengthwise.training.interchange;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.model.DecoderForm;
import org.lengthwise.model.DecoderForm.Norm;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.training.checkpoint.ModelOrigin;

/**
 * Writes the config.json of a family. Whether the family has the model's shape is another question:
 * {@link FamilyReader} answers it for what is written here.
 */
final class FamilyWriter {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final ObjectNode json = MAPPER.createObjectNode();
  private final Family family;
  private final ModelConfig model;
  private final DecoderForm form;
  private final JsonNode position;
  private final int length;

  private FamilyWriter(Family family, ModelConfig model, int length) {
    this.family = family;
    this.model = model;
    form = model.form();
    position = ConfigLoader.strictMapper().valueToTree(model.position());
    this.length = length;
  }

  static ObjectNode write(Family family, ModelConfig model, ModelOrigin origin) {
    FamilyWriter writer = new FamilyWriter(family, model, origin.length());
    int endOfText = origin.tokenizer().endOfText();
    writer.common(origin.bos().orElse(endOfText), endOfText);
    writer.special();
    return writer.json;
  }

  private void common(int bos, int endOfText) {
    Family.Keys keys = family.keys();
    json.put("model_type", family.label())
        .put("torch_dtype", "float32")
        .put("vocab_size", model.vocabulary())
        .put(keys.layers(), model.layers())
        .put(keys.width(), model.width())
        .put(keys.heads(), model.heads())
        .put(keys.length(), position.path("positions").asInt(length))
        .put("tie_word_embeddings", family.isAlwaysTied() || form.tokens().tied())
        .put("initializer_range", 0.02)
        .put("bos_token_id", bos)
        .put("eos_token_id", endOfText);
    json.putArray("architectures").add(family.architecture());
  }

  private void special() {
    switch (family) {
      case GPT2 ->
          activation("activation_function")
              .put("layer_norm_epsilon", form.norms().epsilon())
              .put("n_inner", model.mlpWidth())
              .put("n_ctx", json.path("n_positions").intValue())
              .put("attn_pdrop", 0.0)
              .put("embd_pdrop", 0.0)
              .put("resid_pdrop", 0.0);
      case GPT_NEOX -> {
        activation("hidden_act")
            .put("layer_norm_eps", form.norms().epsilon())
            .put("intermediate_size", model.mlpWidth())
            .put("rotary_pct", position.path("share").asDouble(1))
            .put("use_parallel_residual", form.norm() == Norm.PARALLEL)
            .put("attention_bias", true);
        rotary("rotary_emb_base");
      }
      case LLAMA, MISTRAL, QWEN2, QWEN3 -> llama();
      case OPT ->
          activation("activation_function")
              .put("ffn_dim", model.mlpWidth())
              .put("word_embed_proj_dim", model.tokenWidth())
              .put("do_layer_norm_before", form.norm() != Norm.POST)
              .put("dropout", 0.0);
      case BLOOM ->
          json.put("layer_norm_epsilon", form.norms().epsilon())
              .put("apply_residual_connection_post_layernorm", form.norm() == Norm.NORMED)
              .put("hidden_dropout", 0.0);
      case MPT -> mpt();
    }
  }

  private ObjectNode activation(String key) {
    return json.put(key, FamilyReader.nameOf(form.activation()));
  }

  private void rotary(String baseKey) {
    if (position.has("share")) {
      RopeJson.write(json, baseKey, position, length);
    }
  }

  private void llama() {
    activation("hidden_act")
        .put("rms_norm_eps", form.norms().epsilon())
        .put("intermediate_size", model.mlpWidth())
        .put("num_key_value_heads", model.keyHeads())
        .put("head_dim", model.headWidth())
        .put("attention_bias", form.attentionBias())
        .put("mlp_bias", form.mlp().bias());
    rotary("rope_theta");
    JsonNode window = position.path("window");
    if (window.isObject()) {
      json.put("use_sliding_window", true)
          .put("max_window_layers", window.path("from_layer").intValue())
          .set("sliding_window", window.path("positions"));
    } else if (family == Family.MISTRAL) {
      json.putNull("sliding_window"); // without the key, other software takes a window of 4,096
    }
  }

  private void mpt() {
    json.put("no_bias", true)
        .put("expansion_ratio", 4)
        .put("layer_norm_epsilon", form.norms().epsilon());
    ObjectNode attention =
        json.putObject("attn_config")
            .put("attn_type", "multihead_attention")
            .put("alibi", true)
            .put("alibi_bias_max", position.path("max_bias").asDouble(8))
            .put("qk_ln", false)
            .put("prefix_lm", false);
    if (form.attention().clip() > 0) {
      attention.put("clip_qkv", form.attention().clip());
    }
    if (form.attention().scale() > 0) {
      attention.put("softmax_scale", form.attention().scale());
    }
  }
}
