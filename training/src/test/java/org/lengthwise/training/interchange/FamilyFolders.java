package org.lengthwise.training.interchange;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.lengthwise.training.safetensors.HandWritten;

/**
 * Small models of all families as folders in Hugging Face's layout. Their numbers come from a
 * formula. Names, shapes and keys are written here a second time, so that they test those of the
 * importer.
 */
final class FamilyFolders {
  static final int VOCABULARY = 61;
  private static final int WIDTH = 48;
  private static final int INNER = 80;
  private static final int HEADS = 6;
  private static final int LAYERS = 3;

  private static final String USUAL_SIZES =
      "\"hidden_size\": 48, \"num_hidden_layers\": 3, \"num_attention_heads\": 6,";

  private static final String LLAMA =
      """
      {"model_type": "llama", "intermediate_size": 80, "num_key_value_heads": 2,
       "hidden_act": "silu", "rms_norm_eps": 1e-05, "attention_bias": false, "mlp_bias": false,
       "max_position_embeddings": 32, "rope_theta": 10000.0, "rope_scaling": null,
       "tie_word_embeddings": false, "vocab_size": 61, %s "pretraining_tp": 2}
      """
          .formatted(USUAL_SIZES);

  private static final String NEOX =
      """
      {"model_type": "gpt_neox", "intermediate_size": 80, "hidden_act": "gelu",
       "layer_norm_eps": 1e-05, "rotary_pct": 0.25, "rotary_emb_base": 10000,
       "rope_scaling": null, "use_parallel_residual": true, "attention_bias": true,
       "max_position_embeddings": 32, "tie_word_embeddings": false, %s "vocab_size": 61}
      """
          .formatted(USUAL_SIZES);

  private static final String OPT =
      """
      {"model_type": "opt", "ffn_dim": 80, "word_embed_proj_dim": 48, "enable_bias": true,
       "max_position_embeddings": 96, "activation_function": "relu", "do_layer_norm_before": true,
       "layer_norm_elementwise_affine": true, "tie_word_embeddings": true, %s "vocab_size": 61}
      """
          .formatted(USUAL_SIZES);

  private static final String BLOOM =
      """
      {"model_type": "bloom", "hidden_size": 48, "n_layer": 3, "n_head": 6, "seq_length": 32,
       "layer_norm_epsilon": 1e-05, "apply_residual_connection_post_layernorm": false,
       "tie_word_embeddings": true, "vocab_size": 61}
      """;

  private static final String MPT =
      """
      {"model_type": "mpt", "d_model": 48, "n_layers": 3, "n_heads": 6, "expansion_ratio": 4,
       "max_seq_len": 32, "no_bias": true, "vocab_size": 61, "attn_config":
        {"attn_type": "multihead_attention", "alibi": true, "alibi_bias_max": 8, "clip_qkv": 1.5,
         "softmax_scale": null, "qk_ln": false, "prefix_lm": false}}
      """;

  private static final String GPT2 =
      """
      {"model_type": "gpt2", "n_embd": 48, "n_layer": 3, "n_head": 6, "n_inner": null,
       "n_positions": 96, "activation_function": "gelu_new", "layer_norm_epsilon": 1e-05,
       "scale_attn_weights": true, "tie_word_embeddings": true, "vocab_size": 61}
      """;

  private FamilyFolders() {}

  /** The format of stored numbers. */
  enum Format {
    F32(4),
    F16(2),
    BF16(2);

    private final int bytes;

    Format(int bytes) {
      this.bytes = bytes;
    }
  }

  /** What the formula multiplies a tensor by, and adds to it. */
  enum Kind {
    NORM,
    BIAS,
    TABLE,
    MATRIX
  }

  record Tensor(List<Integer> shape, Kind kind, int inputs) {
    int size() {
      return shape.stream().reduce(1, Math::multiplyExact);
    }

    double value(double v) {
      return switch (kind) {
        case NORM -> 1 + 0.2 * v;
        case BIAS -> 0.2 * v;
        case TABLE -> 0.7 * v;
        case MATRIX -> 2 * v / Math.sqrt(inputs);
      };
    }
  }

  /**
   * A model.
   *
   * @param config its config.json
   * @param tensors its tensors, sorted by name
   */
  record Model(String config, TreeMap<String, Tensor> tensors) {
    /** The same tensors with another config.json. */
    Model with(String from, String to) {
      if (!config.contains(from)) {
        throw new IllegalArgumentException("no " + from + " in " + config);
      }
      return new Model(config.replace(from, to), tensors);
    }

    private Model norm(String name, int size, boolean hasBias) {
      tensors.put(name + ".weight", new Tensor(List.of(size), Kind.NORM, 0));
      return hasBias ? bias(name, size) : this;
    }

    private Model linear(String name, int out, int in, boolean hasBias) {
      tensors.put(name + ".weight", new Tensor(List.of(out, in), Kind.MATRIX, in));
      return hasBias ? bias(name, out) : this;
    }

    private Model transposed(String name, int in, int out) {
      tensors.put(name + ".weight", new Tensor(List.of(in, out), Kind.MATRIX, in));
      return bias(name, out);
    }

    private Model bias(String name, int size) {
      tensors.put(name + ".bias", new Tensor(List.of(size), Kind.BIAS, 0));
      return this;
    }

    private Model table(String name, int rows, int columns) {
      tensors.put(name + ".weight", new Tensor(List.of(rows, columns), Kind.TABLE, 0));
      return this;
    }

    /** The numbers in float32, by name. */
    Map<String, float[]> numbers() {
      Map<String, float[]> numbers = new LinkedHashMap<>();
      int n = 0;
      for (Map.Entry<String, Tensor> tensor : tensors.entrySet()) {
        float[] values = new float[tensor.getValue().size()];
        for (int i = 0; i < values.length; i++) {
          double v = Math.sin(0.37 * (n + 1) + 0.71 * i + 0.0131 * i * i);
          values[i] = (float) tensor.getValue().value(v);
        }
        numbers.put(tensor.getKey(), values);
        n++;
      }
      return numbers;
    }
  }

  private static Model model(String config) {
    return new Model(config, new TreeMap<>());
  }

  /** The model of a row of the vectors. */
  static Model of(String name) {
    Model llama = llama(LLAMA, 2, 8, "");
    return switch (name) {
      case "llama" -> llama;
      case "llama-tied" ->
          llama(LLAMA.replace("_heads\": 2", "_heads\": 6"), 6, 8, "tied")
              .with("embeddings\": false", "embeddings\": true");
      case "llama-linear" -> scaled(llama, "\"rope_type\": \"linear\", \"factor\": 4.0");
      case "llama-dynamic" -> scaled(llama, "\"rope_type\": \"dynamic\", \"factor\": 2.0");
      case "llama-yarn" ->
          scaled(
                  llama,
                  "\"rope_type\": \"yarn\", \"factor\": 4.0,"
                      + " \"original_max_position_embeddings\": 32")
              .with("embeddings\": 32,", "embeddings\": 128,");
      case "llama3-rope" ->
          scaled(
                  llama.with("10000.0", "500000.0"),
                  "\"rope_type\": \"llama3\", \"factor\": 8.0, \"low_freq_factor\": 1.0,"
                      + " \"high_freq_factor\": 4.0, \"original_max_position_embeddings\": 64")
              .with("embeddings\": 32,", "embeddings\": 512,");
      case "llama-longrope" ->
          scaled(
                  llama,
                  "\"rope_type\": \"longrope\", \"short_factor\": [1.0, 1.0, 1.1, 1.2],"
                      + " \"long_factor\": [1.0, 1.5, 3.0, 4.0]")
              .with(
                  "embeddings\": 32,",
                  "embeddings\": 128, \"original_max_position_embeddings\": 32,");
      case "llama-biased" ->
          llama(LLAMA, 2, 12, "qkv o mlp")
              .with("_bias\": false", "_bias\": true")
              .with("{\"model", "{\"head_dim\": 12, \"model");
      case "llama-1b-rope-parameters" ->
          llama.with(
              "\"rope_theta\": 10000.0, \"rope_scaling\": null",
              "\"rope_parameters\": {\"rope_type\": \"linear\", \"factor\": 2.0,"
                  + " \"rope_theta\": 10000.0}");
      case "mistral" ->
          llama.with("\"llama\"", "\"mistral\", \"sliding_window\": 16, \"head_dim\": 8");
      case "qwen2" ->
          llama(LLAMA, 2, 8, "qkv tied")
              .with("\"llama\"", "\"qwen2\", \"use_sliding_window\": false")
              .with("1e-05", "1e-06")
              .with("10000.0", "1000000.0")
              .with("embeddings\": false", "embeddings\": true");
      case "qwen2-window" ->
          qwen2Window(16)
              .with("scaling\": null", "scaling\": {\"rope_type\": \"linear\", \"factor\": 2.0}");
      case "qwen2-long-window" -> qwen2Window(40);
      case "qwen3" ->
          llama(LLAMA, 2, 16, "norm")
              .with("\"llama\"", "\"qwen3\", \"head_dim\": 16")
              .with("1e-05", "1e-06");
      case "neox" -> neox(NEOX);
      case "neox-sequential" ->
          neox(NEOX)
              .with("0.25", "1.0")
              .with("\"gelu\"", "\"gelu_new\"")
              .with("residual\": true", "residual\": false");
      case "neox-linear" ->
          neox(NEOX).with("scaling\": null", "scaling\": {\"type\": \"linear\", \"factor\": 4.0}");
      case "opt" -> opt(OPT, WIDTH).norm("model.decoder.final_layer_norm", WIDTH, true);
      case "opt-post" ->
          opt(OPT, 32)
              .linear("model.decoder.project_in", WIDTH, 32, false)
              .linear("model.decoder.project_out", 32, WIDTH, false)
              .with("proj_dim\": 48", "proj_dim\": 32")
              .with("before\": true", "before\": false");
      case "bloom" -> bloom(BLOOM, WIDTH);
      case "bloom-8" -> bloom(BLOOM.replace("48", "64").replace("head\": 6", "head\": 8"), 64);
      case "mpt" -> mpt(MPT);
      case "mpt-8" ->
          mpt(MPT)
              .with("heads\": 6", "heads\": 8")
              .with("max\": 8", "max\": 16")
              .with("qkv\": 1.5", "qkv\": null");
      case "gpt2" -> gpt2(GPT2);
      default -> throw new IllegalArgumentException(name);
    };
  }

  /** All layers but the first have the window. */
  private static Model qwen2Window(int window) {
    return llama(LLAMA, 2, 8, "qkv")
        .with(
            "\"llama\"",
            "\"qwen2\", \"use_sliding_window\": true, \"max_window_layers\": 1,"
                + " \"sliding_window\": "
                + window)
        .with("1e-05", "1e-06");
  }

  private static Model scaled(Model llama, String scaling) {
    return llama.with("scaling\": null", "scaling\": {" + scaling + "}");
  }

  private static Model llama(String config, int keyHeads, int headWidth, String options) {
    Model model = model(config).table("model.embed_tokens", VOCABULARY, WIDTH);
    model.norm("model.norm", WIDTH, false);
    if (!options.contains("tied")) {
      model.table("lm_head", VOCABULARY, WIDTH);
    }
    boolean hasBias = options.contains("qkv");
    for (int k = 0; k < LAYERS; k++) {
      String block = "model.layers." + k + ".";
      model.norm(block + "input_layernorm", WIDTH, false);
      model.norm(block + "post_attention_layernorm", WIDTH, false);
      String attention = block + "self_attn.";
      model.linear(attention + "q_proj", HEADS * headWidth, WIDTH, hasBias);
      model.linear(attention + "k_proj", keyHeads * headWidth, WIDTH, hasBias);
      model.linear(attention + "v_proj", keyHeads * headWidth, WIDTH, hasBias);
      model.linear(attention + "o_proj", WIDTH, HEADS * headWidth, options.contains(" o"));
      if (options.contains("norm")) {
        model.norm(attention + "q_norm", headWidth, false);
        model.norm(attention + "k_norm", headWidth, false);
      }
      for (String inner : List.of("gate_proj", "up_proj")) {
        model.linear(block + "mlp." + inner, INNER, WIDTH, options.contains("mlp"));
      }
      model.linear(block + "mlp.down_proj", WIDTH, INNER, options.contains("mlp"));
    }
    return model;
  }

  private static Model neox(String config) {
    Model model = model(config).table("gpt_neox.embed_in", VOCABULARY, WIDTH);
    model.norm("gpt_neox.final_layer_norm", WIDTH, true).table("embed_out", VOCABULARY, WIDTH);
    for (int k = 0; k < LAYERS; k++) {
      fused(model, "gpt_neox.layers." + k + ".", "attention.", WIDTH, INNER);
    }
    return model;
  }

  private static Model bloom(String config, int width) {
    Model model = model(config).table("transformer.word_embeddings", VOCABULARY, width);
    model.norm("transformer.word_embeddings_layernorm", width, true);
    model.norm("transformer.ln_f", width, true);
    for (int k = 0; k < LAYERS; k++) {
      fused(model, "transformer.h." + k + ".", "self_attention.", width, 4 * width);
    }
    return model;
  }

  private static void fused(Model model, String block, String attention, int width, int inner) {
    model.norm(block + "input_layernorm", width, true);
    model.norm(block + "post_attention_layernorm", width, true);
    model.linear(block + attention + "query_key_value", 3 * width, width, true);
    model.linear(block + attention + "dense", width, width, true);
    model.linear(block + "mlp.dense_h_to_4h", inner, width, true);
    model.linear(block + "mlp.dense_4h_to_h", width, inner, true);
  }

  private static Model opt(String config, int embedded) {
    Model model = model(config).table("model.decoder.embed_tokens", VOCABULARY, embedded);
    model.table("model.decoder.embed_positions", 98, WIDTH);
    for (int k = 0; k < LAYERS; k++) {
      String block = "model.decoder.layers." + k + ".";
      model.norm(block + "self_attn_layer_norm", WIDTH, true);
      model.norm(block + "final_layer_norm", WIDTH, true);
      for (String projection : List.of("q_proj", "k_proj", "v_proj", "out_proj")) {
        model.linear(block + "self_attn." + projection, WIDTH, WIDTH, true);
      }
      model.linear(block + "fc1", INNER, WIDTH, true).linear(block + "fc2", WIDTH, INNER, true);
    }
    return model;
  }

  private static Model mpt(String config) {
    Model model = model(config).table("transformer.wte", VOCABULARY, WIDTH);
    model.norm("transformer.norm_f", WIDTH, false);
    for (int k = 0; k < LAYERS; k++) {
      String block = "transformer.blocks." + k + ".";
      model.norm(block + "norm_1", WIDTH, false).norm(block + "norm_2", WIDTH, false);
      model.linear(block + "attn.Wqkv", 3 * WIDTH, WIDTH, false);
      model.linear(block + "attn.out_proj", WIDTH, WIDTH, false);
      model.linear(block + "ffn.up_proj", 4 * WIDTH, WIDTH, false);
      model.linear(block + "ffn.down_proj", WIDTH, 4 * WIDTH, false);
    }
    return model;
  }

  private static Model gpt2(String config) {
    Model model = model(config).table("transformer.wte", VOCABULARY, WIDTH);
    model.table("transformer.wpe", 96, WIDTH).norm("transformer.ln_f", WIDTH, true);
    for (int k = 0; k < LAYERS; k++) {
      String block = "transformer.h." + k + ".";
      model.norm(block + "ln_1", WIDTH, true).norm(block + "ln_2", WIDTH, true);
      model.transposed(block + "attn.c_attn", WIDTH, 3 * WIDTH);
      model.transposed(block + "attn.c_proj", WIDTH, WIDTH);
      model.transposed(block + "mlp.c_fc", WIDTH, 4 * WIDTH);
      model.transposed(block + "mlp.c_proj", 4 * WIDTH, WIDTH);
    }
    return model;
  }

  /** Writes a folder with one file of weights, and a tokenizer of all ids. */
  static Path write(Path folder, Model model, Format format) throws IOException {
    return write(folder, model, model.numbers(), format);
  }

  static Path write(Path folder, Model model, Map<String, float[]> numbers, Format format)
      throws IOException {
    describe(folder, model);
    weights(folder.resolve("model.safetensors"), model, numbers, format);
    return folder;
  }

  /** Writes a folder with two files of weights and their index. */
  static Path writeShards(Path folder, Model model) throws IOException {
    describe(folder, model);
    StringJoiner index = new StringJoiner(", ", "{\"weight_map\": {", "}}");
    Map<String, Map<String, float[]>> files = new TreeMap<>();
    model
        .numbers()
        .forEach(
            (name, values) -> {
              String file = "model-%s.safetensors".formatted(1 + name.length() % 2);
              files.computeIfAbsent(file, key -> new LinkedHashMap<>()).put(name, values);
              index.add("\"%s\": \"%s\"".formatted(name, file));
            });
    for (Map.Entry<String, Map<String, float[]>> file : files.entrySet()) {
      weights(folder.resolve(file.getKey()), model, file.getValue(), Format.F32);
    }
    Files.writeString(folder.resolve("model.safetensors.index.json"), index.toString());
    return folder;
  }

  private static void describe(Path folder, Model model) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("config.json"), model.config());
    Files.writeString(folder.resolve("tokenizer.json"), tokenizer(VOCABULARY));
  }

  /** A tokenizer.json with a number of ids. */
  static String tokenizer(int ids) {
    StringJoiner words = new StringJoiner(", ", "{\"<unk>\": 0, \"</s>\": 1, ", "}");
    for (int id = 2; id < ids; id++) {
      words.add("\"w%s\": %s".formatted(id, id));
    }
    return """
        {"version": "1.0", "added_tokens": [{"id": 1, "content": "</s>", "special": true,
         "single_word": false, "lstrip": false, "rstrip": false, "normalized": false}],
         "pre_tokenizer": {"type": "WhitespaceSplit"},
         "model": {"type": "WordLevel", "unk_token": "<unk>", "vocab": %s}}
        """
        .formatted(words);
  }

  private static void weights(Path file, Model model, Map<String, float[]> numbers, Format format)
      throws IOException {
    int size = numbers.values().stream().mapToInt(values -> values.length).sum() * format.bytes;
    ByteBuffer data = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    StringJoiner header = new StringJoiner(",", "{", "}");
    numbers.forEach(
        (name, values) -> {
          int from = data.position();
          for (float value : values) {
            put(data, value, format);
          }
          header.add(
              "\"%s\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":[%s,%s]}"
                  .formatted(
                      name,
                      format,
                      Objects.requireNonNull(model.tensors().get(name)).shape(),
                      from,
                      data.position()));
        });
    HandWritten.file(file, header.toString(), data.array());
  }

  private static void put(ByteBuffer data, float value, Format format) {
    switch (format) {
      case F32 -> data.putFloat(value);
      case BF16 -> data.putShort((short) (Float.floatToRawIntBits(bfloat16(value)) >>> 16));
      case F16 -> data.putShort(bitsOfFloat16(value));
    }
  }

  /** The same numbers, each rounded to the nearest one of a format. */
  static Map<String, float[]> rounded(Map<String, float[]> numbers, Format format) {
    Map<String, float[]> rounded = new LinkedHashMap<>();
    numbers.forEach(
        (name, values) -> {
          float[] copy = new float[values.length];
          for (int i = 0; i < copy.length; i++) {
            copy[i] = format == Format.F16 ? float16(values[i]) : bfloat16(values[i]);
          }
          rounded.put(name, copy);
        });
    return rounded;
  }

  private static float bfloat16(float value) {
    int bits = Float.floatToRawIntBits(value);
    return Float.intBitsToFloat((bits + 0x7fff + (bits >>> 16 & 1)) & 0xffff0000);
  }

  private static float float16(float value) {
    double unit = Math.scalb(1.0, Math.max(-14, Math.getExponent(value)) - 10);
    return (float) (Math.rint(value / unit) * unit);
  }

  private static short bitsOfFloat16(float value) {
    float rounded = float16(value);
    int exponent = Math.max(-14, Math.getExponent(rounded));
    int digits = (int) Math.abs(rounded / Math.scalb(1.0, exponent - 10)); // with the first one
    int bits = digits < 1024 ? digits : ((exponent + 15) << 10) + digits - 1024;
    return (short) (Math.copySign(1, rounded) < 0 ? bits | 0x8000 : bits);
  }

  /** The ids of the vectors. */
  static int[] ids() {
    int[] ids = new int[48];
    for (int t = 0; t < ids.length; t++) {
      ids[t] = (7 * t * t + 3 * t + 1) % VOCABULARY;
    }
    return ids;
  }
}
