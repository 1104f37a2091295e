package org.lengthwise.training.interchange;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.ParameterLayout;

/**
 * The families of public decoders, with the names that Hugging Face's files use.
 *
 * <p>The table of a family has a line for each tensor of a checkpoint: our name, how the numbers
 * lie, if not as ours, and the names in the family. Names are without {@code .weight} and {@code
 * .bias}, ours also without {@code transformer.}, and names in a block without the block's prefix.
 * Several names hold our rows one after the other.
 */
enum Family {
  GPT2(
      "GPT2LMHeadModel",
      "n_layer n_embd n_head n_positions",
      "transformer.h.",
      """
      wte          transformer.wte
      wpe          transformer.wpe
      ln_f         transformer.ln_f
      lm_head      lm_head
      ln_1         ln_1
      attn.c_attn  transposed attn.c_attn
      attn.c_proj  transposed attn.c_proj
      ln_2         ln_2
      mlp.c_fc     transposed mlp.c_fc
      mlp.c_proj   transposed mlp.c_proj
      """),
  GPT_NEOX(
      "GPTNeoXForCausalLM",
      Keys.USUAL,
      "gpt_neox.layers.",
      """
      wte          gpt_neox.embed_in
      ln_f         gpt_neox.final_layer_norm
      lm_head      embed_out
      ln_1         input_layernorm
      attn.c_attn  heads attention.query_key_value
      attn.c_proj  attention.dense
      ln_2         post_attention_layernorm
      mlp.c_fc     mlp.dense_h_to_4h
      mlp.c_proj   mlp.dense_4h_to_h
      """),
  LLAMA("LlamaForCausalLM"),
  MISTRAL("MistralForCausalLM"),
  QWEN2("Qwen2ForCausalLM"),
  QWEN3("Qwen3ForCausalLM"),
  /** OPT. The first two rows of its table of positions are not used. */
  OPT(
      "OPTForCausalLM",
      Keys.USUAL,
      "model.decoder.layers.",
      """
      wte          model.decoder.embed_tokens
      project_in   model.decoder.project_in
      wpe          after_two_rows model.decoder.embed_positions
      ln_f         model.decoder.final_layer_norm
      project_out  model.decoder.project_out
      lm_head      lm_head
      ln_1         self_attn_layer_norm
      attn.c_attn  self_attn.q_proj self_attn.k_proj self_attn.v_proj
      attn.c_proj  self_attn.out_proj
      ln_2         final_layer_norm
      mlp.c_fc     fc1
      mlp.c_proj   fc2
      """),
  BLOOM(
      "BloomForCausalLM",
      "n_layer hidden_size n_head seq_length",
      "transformer.h.",
      """
      wte          transformer.word_embeddings
      ln_e         transformer.word_embeddings_layernorm
      ln_f         transformer.ln_f
      lm_head      lm_head
      ln_1         input_layernorm
      attn.c_attn  heads self_attention.query_key_value
      attn.c_proj  self_attention.dense
      ln_2         post_attention_layernorm
      mlp.c_fc     mlp.dense_h_to_4h
      mlp.c_proj   mlp.dense_4h_to_h
      """),
  MPT(
      "MptForCausalLM",
      "n_layers d_model n_heads max_seq_len",
      "transformer.blocks.",
      """
      wte          transformer.wte
      ln_f         transformer.norm_f
      lm_head      lm_head
      ln_1         norm_1
      attn.c_attn  attn.Wqkv
      attn.c_proj  attn.out_proj
      ln_2         norm_2
      mlp.c_fc     ffn.up_proj
      mlp.c_proj   ffn.down_proj
      """);

  private static final Pattern OURS =
      Pattern.compile("(?:transformer\\.)?(?:h\\.(\\d+)\\.)?(.+?)(\\.weight|\\.bias)");

  /** Constants and masks, which old files store with the weights. */
  private static final Pattern BUFFER =
      Pattern.compile(".*\\.(rotary_emb\\.inv_freq|(attention|attn)\\.(bias|masked_bias))");

  private final String architecture;
  private final String keys;
  private final String blocks;
  private final String table;

  Family(String architecture, String keys, String blocks, String table) {
    this.architecture = architecture;
    this.keys = keys;
    this.blocks = blocks;
    this.table = table;
  }

  /** A family with the tensors of Llama. Only Qwen3 has those of its last two lines. */
  Family(String architecture) {
    this(
        architecture,
        Keys.USUAL,
        "model.layers.",
        """
        wte          model.embed_tokens
        ln_f         model.norm
        lm_head      lm_head
        ln_1         input_layernorm
        attn.c_attn  self_attn.q_proj self_attn.k_proj self_attn.v_proj
        attn.c_proj  self_attn.o_proj
        ln_2         post_attention_layernorm
        mlp.c_fc     mlp.gate_proj mlp.up_proj
        mlp.c_proj   mlp.down_proj
        attn.q_norm  self_attn.q_norm
        attn.k_norm  self_attn.k_norm
        """);
  }

  /** The keys of config.json for K, d, H and the longest length. */
  record Keys(String layers, String width, String heads, String length) {
    static final String USUAL =
        "num_hidden_layers hidden_size num_attention_heads max_position_embeddings";

    static Keys of(String names) {
      List<String> words = List.of(names.split(" "));
      return new Keys(words.get(0), words.get(1), words.get(2), words.get(3));
    }
  }

  private record Line(StoredTensor.Order order, List<String> names) {
    static Line of(List<String> words) {
      Optional<StoredTensor.Order> order = StoredTensor.Order.of(words.get(1));
      return new Line(
          order.orElse(StoredTensor.Order.ROWS),
          words.subList(order.isPresent() ? 2 : 1, words.size()));
    }
  }

  /** The value of {@code model_type}, also the name on the command line. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Family of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }

  static List<String> labels() {
    return Arrays.stream(values()).map(Family::label).toList();
  }

  /** The name of the class that computes the model in Hugging Face's library. */
  String architecture() {
    return architecture;
  }

  Keys keys() {
    return Keys.of(keys);
  }

  /** Whether the output of every model is tied to the embeddings; elsewhere it usually is not. */
  boolean isAlwaysTied() {
    return switch (this) {
      case GPT2, OPT, BLOOM, MPT -> true;
      case GPT_NEOX, LLAMA, MISTRAL, QWEN2, QWEN3 -> false;
    };
  }

  String embedding() {
    return line("wte").names().get(0) + ".weight";
  }

  /** The name of an output projection that is not tied. */
  String head() {
    return line("lm_head").names().get(0) + ".weight";
  }

  /** The full name of a stored tensor, which may lack the prefix of all but the head. */
  String fullName(String stored) {
    String prefix = blocks.substring(0, blocks.indexOf('.') + 1);
    return stored.startsWith(prefix) || stored.equals(head()) ? stored : prefix + stored;
  }

  /** Whether a tensor is no weight, so an import skips it. */
  static boolean isBuffer(String name) {
    return BUFFER.matcher(name).matches();
  }

  /** Where the family has each tensor of a model, by our name. */
  Map<String, StoredTensor> tensors(ModelConfig model) {
    return ParameterLayout.shapes(model).entrySet().stream()
        .map(tensor -> stored(tensor.getKey(), tensor.getValue(), model))
        .collect(
            Collectors.toMap(
                StoredTensor::name, Function.identity(), (a, b) -> a, LinkedHashMap::new));
  }

  private StoredTensor stored(String name, List<Integer> shape, ModelConfig model) {
    Matcher ours = OURS.matcher(name);
    if (!ours.matches()) {
      throw new IllegalArgumentException(label() + " has no tensor " + name);
    }
    String prefix = ours.group(1) == null ? "" : blocks + ours.group(1) + ".";
    Line line = line(ours.group(2));
    List<String> names =
        line.names().stream().map(module -> prefix + module + ours.group(3)).toList();
    return StoredTensor.of(name, shape, line.order(), names, model);
  }

  private Line line(String module) {
    return table
        .lines()
        .map(line -> List.of(line.split(" +")))
        .filter(words -> words.get(0).equals(module))
        .map(Line::of)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(label() + " has no tensor " + module));
  }
}
