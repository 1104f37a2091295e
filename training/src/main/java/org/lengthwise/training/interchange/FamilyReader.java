package org.lengthwise.training.interchange;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.model.DecoderForm;
import org.lengthwise.model.DecoderForm.Activation;
import org.lengthwise.model.DecoderForm.Norm;
import org.lengthwise.model.HeadForm;
import org.lengthwise.model.MlpForm;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.NormForm;
import org.lengthwise.model.NormForm.Kind;
import org.lengthwise.model.TokenForm;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.LayerWindow;
import org.lengthwise.positional.Learned;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Rope;

/** Reads the keys of one config.json, with the defaults of its family. */
final class FamilyReader {
  private static final double EPSILON = 1e-5;

  /** More than any model has; the list of its tensors needs memory before a file is read. */
  private static final int MOST_LAYERS = 10_000;

  /** Mistral's window if its key is absent; null means no window. */
  private static final int MISTRAL_WINDOW = 4096;

  private static final List<String> NAMES = List.of("silu", "gelu", "gelu_new", "relu");

  private static final List<Activation> ACTIVATIONS =
      List.of(Activation.SILU, Activation.GELU_ERF, Activation.GELU, Activation.RELU);

  private static final String FULL = "full_attention";
  private static final String WINDOW = "sliding_attention";

  private final Family family;
  private final ConfigJson json;
  private final int layers;
  private final int width;
  private final int heads;

  FamilyReader(Family family, ConfigJson json) {
    this.family = family;
    this.json = json;
    Family.Keys keys = family.keys();
    layers = size(keys.layers(), "num_hidden_layers", "n_layer", "n_layers");
    if (layers > MOST_LAYERS) {
      throw json.refused(keys.layers(), "at most %s".formatted(MOST_LAYERS));
    }
    width = size(keys.width(), "hidden_size", "n_embd", "n_embed", "d_model");
    heads = size(keys.heads(), "num_attention_heads", "n_head", "n_heads");
  }

  private int size(String own, String... others) {
    return json.size(
        Stream.concat(Stream.of(own), Stream.of(others)).filter(json::has).findFirst().orElse(own));
  }

  private int longest() {
    return size(
        family.keys().length(),
        "max_position_embeddings",
        "n_positions",
        "max_seq_len",
        "seq_length");
  }

  FamilyConfig config() {
    return switch (family) {
      case GPT2 -> gpt2();
      case GPT_NEOX -> gptNeox();
      case LLAMA, MISTRAL, QWEN2, QWEN3 -> llama();
      case OPT -> opt();
      case BLOOM -> bloom();
      case MPT -> mpt();
    };
  }

  private FamilyConfig gpt2() {
    json.require("scale_attn_weights", true);
    json.require("scale_attn_by_inverse_layer_idx", false);
    json.require("add_cross_attention", false);
    return config(
        new Learned(longest()),
        form(
            Norm.PRE,
            activation("activation_function", "gelu_new"),
            true,
            new NormForm(Kind.LAYER, json.number("layer_norm_epsilon", EPSILON), false),
            HeadForm.GPT2,
            mlp("n_inner", false, true)));
  }

  private FamilyConfig gptNeox() {
    json.require("attention_bias", true);
    int headWidth = width / heads;
    double share = json.number("rotary_pct", 0.25);
    share = RopeJson.parameters(json).number("partial_rotary_factor", share);
    int rotated = (int) (headWidth * share);
    return rotary(
        "rotary_emb_base",
        rotated == 0 ? share : rotated / (double) headWidth, // a share of 0 would hide its key
        null,
        form(
            json.flag("use_parallel_residual", true) ? Norm.PARALLEL : Norm.PRE,
            activation("hidden_act", "gelu"),
            true,
            new NormForm(Kind.LAYER, json.number("layer_norm_eps", EPSILON), false),
            HeadForm.GPT2,
            mlp("intermediate_size", false, true)));
  }

  private FamilyConfig llama() {
    for (ConfigJson place : List.of(json, RopeJson.parameters(json))) {
      if (place.number("partial_rotary_factor", 1) != 1) {
        throw place.refused("partial_rotary_factor", "1");
      }
    }
    boolean isQwen2 = family == Family.QWEN2;
    boolean isQwen3 = family == Family.QWEN3;
    int keyHeads = json.size("num_key_value_heads", heads);
    int headWidth = json.size("head_dim", isQwen3 ? 128 : 0);
    return rotary(
        "rope_theta",
        1,
        window(),
        form(
            Norm.PRE,
            activation("hidden_act", "silu"),
            isQwen2 || json.flag("attention_bias", false),
            new NormForm(Kind.RMS, json.number("rms_norm_eps", 1e-6), false),
            new HeadForm(
                unless(heads, keyHeads),
                headWidth * heads == width ? 0 : headWidth,
                !isQwen2,
                isQwen3,
                0,
                0),
            mlp("intermediate_size", true, json.flag("mlp_bias", false))));
  }

  /** Mistral has a window in all layers, Qwen in the later ones. */
  private @Nullable LayerWindow window() {
    if (family == Family.MISTRAL) {
      boolean isNull = json.json().has("sliding_window") && !json.has("sliding_window");
      return isNull ? null : new LayerWindow(json.size("sliding_window", MISTRAL_WINDOW), 0);
    }
    boolean isQwen = family == Family.QWEN2 || family == Family.QWEN3;
    if (!isQwen || !json.flag("use_sliding_window", false) || !json.has("sliding_window")) {
      return null;
    }
    int from = json.integer("max_window_layers", 0);
    return from < layers ? new LayerWindow(json.size("sliding_window"), from) : null;
  }

  private FamilyConfig opt() {
    json.require("enable_bias", true);
    json.require("layer_norm_elementwise_affine", true);
    json.require("_remove_final_layer_norm", false);
    return config(
        new Learned(longest()),
        form(
            json.flag("do_layer_norm_before", true) ? Norm.PRE : Norm.POST,
            activation("activation_function", "relu"),
            true,
            NormForm.GPT2,
            HeadForm.GPT2,
            mlp("ffn_dim", false, true)));
  }

  private FamilyConfig bloom() {
    return config(
        new Alibi(),
        form(
            json.flag("apply_residual_connection_post_layernorm", false) ? Norm.NORMED : Norm.PRE,
            Activation.GELU,
            true,
            new NormForm(Kind.LAYER, json.number("layer_norm_epsilon", EPSILON), true),
            HeadForm.GPT2,
            MlpForm.GPT2));
  }

  private FamilyConfig mpt() {
    json.require("no_bias", true);
    if (json.size("expansion_ratio", 4) != 4) {
      throw json.refused("expansion_ratio", "4");
    }
    if (json.has("logit_scale")) {
      throw json.refused("logit_scale", "null");
    }
    ConfigJson attention = json.object("attn_config");
    attention.word("attn_type", "multihead_attention", List.of("multihead_attention"));
    attention.require("alibi", true);
    attention.require("qk_ln", false);
    attention.require("prefix_lm", false);
    attention.require("rope", false);
    attention.word("sliding_window_size", "-1", List.of("-1"));
    attention.word("kv_n_heads", "" + heads, List.of("" + heads));
    double clip = attention.has("clip_qkv") ? attention.number("clip_qkv") : 0;
    double usual = 1 / Math.sqrt((double) width / heads);
    double scale = attention.number("softmax_scale", usual);
    return config(
        new Alibi(attention.number("alibi_bias_max", 8)),
        form(
            Norm.PRE,
            Activation.GELU_ERF,
            false,
            new NormForm(
                Kind.LAYER_WITHOUT_BIAS, json.number("layer_norm_epsilon", EPSILON), false),
            new HeadForm(0, 0, true, false, clip, scale == usual ? 0 : scale),
            new MlpForm(0, false, false)));
  }

  private Activation activation(String key, String usual) {
    if (json.json().path(key).asText().equals("gelu_pytorch_tanh")) {
      return Activation.GELU;
    }
    return ACTIVATIONS.get(NAMES.indexOf(json.word(key, usual, NAMES)));
  }

  static String nameOf(Activation activation) {
    return NAMES.get(ACTIVATIONS.indexOf(activation));
  }

  private DecoderForm form(
      Norm norm,
      Activation activation,
      boolean attentionBias,
      NormForm norms,
      HeadForm attention,
      MlpForm mlp) {
    return new DecoderForm(
        norm,
        activation,
        attentionBias,
        DecoderForm.EmbeddingScale.ONE,
        DecoderForm.Initial.GPT2,
        true,
        norms,
        attention,
        mlp,
        tokens());
  }

  private TokenForm tokens() {
    if (family.isAlwaysTied()) {
      json.require("tie_word_embeddings", true);
    }
    boolean isTied = json.flag("tie_word_embeddings", family.isAlwaysTied());
    int embedded = family == Family.OPT ? json.size("word_embed_proj_dim", width) : width;
    return new TokenForm(isTied, unless(width, embedded));
  }

  private MlpForm mlp(String key, boolean gated, boolean bias) {
    int inner = family == Family.GPT2 ? json.size(key, 4 * width) : json.size(key);
    return new MlpForm(unless(4 * width, inner), gated, bias);
  }

  /** A number, or 0 for the usual one. */
  private static int unless(int usual, int number) {
    return number == usual ? 0 : number;
  }

  private FamilyConfig config(PositionalScheme position, DecoderForm form) {
    return new FamilyConfig(family, model(position, form), longest());
  }

  private FamilyConfig rotary(
      String baseKey, double share, @Nullable LayerWindow window, DecoderForm form) {
    int from = window == null ? layers : window.fromLayer();
    List<String> types =
        IntStream.range(0, layers).mapToObj(layer -> layer < from ? FULL : WINDOW).toList();
    if (json.has("layer_types")
        && !json.elements("layer_types").map(JsonNode::asText).toList().equals(types)) {
      throw json.refused("layer_types", types + ", as the other keys say");
    }
    RopeJson rope = RopeJson.of(json, longest());
    Rope position =
        new Rope(
            rope.json().number("rope_theta", json.number(baseKey, 10_000)),
            share,
            rope.scaling(),
            window);
    return new FamilyConfig(family, model(position, form), rope.original());
  }

  private ModelConfig model(PositionalScheme position, DecoderForm form) {
    return new ModelConfig(layers, width, heads, json.size("vocab_size"), position, form, 0);
  }
}
