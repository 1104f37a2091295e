package org.lengthwise.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.lengthwise.positional.PositionTable;
import org.lengthwise.positional.PositionalParameter;
import org.lengthwise.positional.PositionalParameter.Bounds;
import org.lengthwise.positional.PositionalParameter.Initial;

/**
 * All tensors of a model in checkpoint order, with nanoGPT's names.
 *
 * <p>The rows of {@code attn.c_attn} are those of all queries, then keys, then values. A gated MLP
 * has the rows of its gate before those of {@code mlp.c_fc}. A tensor that the {@linkplain
 * DecoderForm form} does not use is absent.
 *
 * <p>Weights start from N(0, 0.02), the two projections to the residual stream from N(0, 0.02 /
 * sqrt(2 K)), biases from 0, LayerNorm from 1 and 0. Token embeddings start from N(0, 0.02) too,
 * unless {@linkplain PositionTable#tokenDeviation the scheme} has another deviation. {@link
 * DecoderForm.Initial#FAN_IN} has other distributions. Weight decay applies to matrices, never to
 * positional tensors, except those of linear recurrences that begin as {@link Initial.Matrix}.
 *
 * <p>The states of block recurrence start from N(0, 0.02). Their ids are added after a LayerNorm,
 * so they start from N(0, 1); the gate starts from N(0, 0.1). Weight decay applies to none of the
 * three.
 *
 * <p>A recurrent network has four tensors before its output. Their initial values are those of
 * {@link DecoderForm.Initial#FAN_IN}, where the input matrix has V inputs.
 *
 * <p>The tensors of the positional scheme follow, with the initial values of the scheme.
 */
public final class ParameterLayout {
  /** The prefix of the tensors of a classifier's output. */
  static final String CLASSIFIER = "classifier";

  /** The output projection of a language model that is not tied. */
  public static final String HEAD = "lm_head.weight";

  /** The matrices and biases of a recurrent network, with PyTorch's names. */
  static final String RNN_INPUT = "rnn.weight_ih_l0";

  static final String RNN_INPUT_BIAS = "rnn.bias_ih_l0";
  static final String RNN_STATE = "rnn.weight_hh_l0";
  static final String RNN_STATE_BIAS = "rnn.bias_hh_l0";

  /** The projections of embeddings that are narrower than the model, to its width and back. */
  static final String PROJECT_IN = "transformer.project_in.weight";

  static final String PROJECT_OUT = "transformer.project_out.weight";

  /** The normalisation of embeddings. */
  static final String EMBEDDING_NORM = "transformer.ln_e";

  private static final double DEVIATION = 0.02;
  private static final double GATE_DEVIATION = 0.1;

  private ParameterLayout() {}

  /** {@return the descriptions of the tensors of a model, with unique names} */
  public static List<ParameterSpec> of(ModelConfig config) {
    return switch (config.kind()) {
      case DECODER -> decoder(config);
      case RNN, LSTM -> network(config);
    };
  }

  private static List<ParameterSpec> network(ModelConfig config) {
    int d = config.width();
    int rows = config.kind().sums() * d;
    List<ParameterSpec> specs = new ArrayList<>();
    specs.add(matrix(RNN_INPUT, rows, config.vocabulary(), fanIn(config.vocabulary())));
    specs.add(vector(RNN_INPUT_BIAS, rows, 0));
    specs.add(matrix(RNN_STATE, rows, d, fanIn(d)));
    specs.add(vector(RNN_STATE_BIAS, rows, 0));
    addLinear(specs, CLASSIFIER, d, config.labels(), fanIn(d), true);
    return List.copyOf(specs);
  }

  private static List<ParameterSpec> decoder(ModelConfig config) {
    List<ParameterSpec> specs = new ArrayList<>();
    addTokens(specs, config);
    for (int k = 0; k < config.layers(); k++) {
      addBlock(specs, config, k);
      if (config.recurrence() instanceof BlockRecurrence recurrence && recurrence.layer() == k) {
        addStates(specs, config, recurrence.states());
      }
    }
    addOutput(specs, config);
    for (PositionalParameter parameter : positional(config)) {
      IntStream.range(0, config.layers())
          .filter(parameter.blocks()::contain)
          .limit(copies(parameter, config))
          .forEach(k -> specs.add(positional(parameter, k, config.form())));
    }
    return List.copyOf(specs);
  }

  /**
   * The numbers in all tensors. A model with too many blocks for a list of tensors has one, too.
   */
  static long numParameters(ModelConfig config) {
    List<ParameterSpec> once = new ArrayList<>();
    long blocks = 0;
    switch (config.kind()) {
      case DECODER -> {
        addTokens(once, config);
        blocks = Math.round(config.layers() * config.meanOfBlocks(k -> numBlock(config, k)));
        if (config.recurrence() instanceof BlockRecurrence recurrence) {
          addStates(once, config, recurrence.states());
        }
        addOutput(once, config);
      }
      case RNN, LSTM -> once.addAll(network(config));
    }
    return sum(once) + blocks + numPositional(config);
  }

  /** The numbers in the tensors of block k, without the positional scheme. */
  static long numBlock(ModelConfig config, int k) {
    List<ParameterSpec> block = new ArrayList<>();
    addBlock(block, config, k);
    return sum(block);
  }

  /** The numbers in the projections of embeddings to the width of the model and back. */
  static long numProjections(ModelConfig config) {
    return config.form().tokens().isProjected() ? 2L * config.width() * config.tokenWidth() : 0;
  }

  /** The numbers in the tensors of the positional scheme. */
  static long numPositional(ModelConfig config) {
    return positional(config).stream()
        .mapToLong(parameter -> copies(parameter, config) * (long) parameter.size())
        .sum();
  }

  private static long sum(List<ParameterSpec> specs) {
    return specs.stream().mapToLong(ParameterSpec::size).sum();
  }

  static List<PositionalParameter> positional(ModelConfig config) {
    return config.kind().isNetwork()
        ? List.of()
        : config.position().parameters(config.heads(), config.positionalWidth());
  }

  private static int copies(PositionalParameter parameter, ModelConfig config) {
    int blocks = parameter.blocks().among(config.layers());
    return parameter.scope() == PositionalParameter.Scope.BLOCK ? blocks : Math.min(1, blocks);
  }

  private static void addTokens(List<ParameterSpec> specs, ModelConfig config) {
    int e = config.tokenWidth();
    DecoderForm form = config.form();
    specs.add(matrix("transformer.wte.weight", config.vocabulary(), e, ofTokens(config)));
    if (form.tokens().isProjected()) {
      specs.add(matrix(PROJECT_IN, config.width(), e, initial(form, e, DEVIATION)));
    }
    if (form.norms().afterEmbedding()) {
      addNorm(specs, config, EMBEDDING_NORM);
    }
  }

  private static void addBlock(List<ParameterSpec> specs, ModelConfig config, int k) {
    int d = config.width();
    int attended = config.attentionWidth();
    int inner = config.mlpWidth();
    DecoderForm form = config.form();
    MlpForm mlp = form.mlp();
    Initial first = initial(form, d, DEVIATION);
    double residual = residual(config);
    String block = block(k);
    addNorm(specs, config, block + "ln_1");
    addLinear(specs, block + "attn.c_attn", d, config.numProjected(k), first, form.attentionBias());
    if (form.attention().queryKeyNorm()) {
      specs.add(vector(block + "attn.q_norm.weight", config.headWidth(), 1));
      specs.add(vector(block + "attn.k_norm.weight", config.headWidth(), 1));
    }
    addLinear(
        specs,
        block + "attn.c_proj",
        attended,
        d,
        initial(form, attended, residual),
        form.hasOutputBias());
    addNorm(specs, config, block + "ln_2");
    addLinear(specs, block + "mlp.c_fc", d, mlp.gated() ? 2 * inner : inner, first, mlp.bias());
    addLinear(specs, block + "mlp.c_proj", inner, d, initial(form, inner, residual), mlp.bias());
  }

  private static void addOutput(List<ParameterSpec> specs, ModelConfig config) {
    DecoderForm form = config.form();
    int d = config.width();
    if (form.hasFinalNorm()) {
      addNorm(specs, config, "transformer.ln_f");
    }
    if (form.tokens().isProjected()) {
      specs.add(matrix(PROJECT_OUT, config.tokenWidth(), d, initial(form, d, DEVIATION)));
    }
    if (config.isClassifier()) {
      addLinear(specs, CLASSIFIER, d, config.labels(), initial(form, d, DEVIATION), true);
    } else if (!form.tokens().tied()) {
      int e = config.tokenWidth();
      specs.add(matrix(HEAD, config.vocabulary(), e, initial(form, e, DEVIATION)));
    }
  }

  /** The deviation of the two projections to the residual stream. */
  private static double residual(ModelConfig config) {
    return DEVIATION / Math.sqrt(2.0 * config.layers());
  }

  /** {@return the axes of each of a model's tensors by name, in checkpoint order} */
  public static Map<String, List<Integer>> shapes(ModelConfig config) {
    Map<String, List<Integer>> shapes = new LinkedHashMap<>();
    of(config).forEach(spec -> shapes.put(spec.name(), spec.shape()));
    return shapes;
  }

  /** {@return the prefix of a block's tensors, {@code transformer.h.{k}.}} */
  static String block(int k) {
    return "transformer.h." + k + ".";
  }

  /** {@return the prefix of the tensors of the states, {@code transformer.h.{r}.state.}} */
  static String states(ModelConfig config) {
    return block(((BlockRecurrence) config.recurrence()).layer()) + "state.";
  }

  /**
   * {@return the name of a positional tensor: {@code transformer.h.{k}.attn.NAME}, {@code
   * transformer.position.NAME}, with an entry before the name in a list of schemes, or {@code
   * transformer.NAME}}
   */
  public static String positionalName(PositionalParameter parameter, int k) {
    return switch (parameter.scope()) {
      case BLOCK -> block(k) + "attn." + parameter.name();
      case MODEL -> "transformer.position." + parameter.blocks().prefix() + parameter.name();
      case EMBEDDING -> "transformer." + parameter.name();
    };
  }

  private static ParameterSpec positional(PositionalParameter parameter, int k, DecoderForm form) {
    List<Integer> shape = parameter.shape();
    boolean isMatrix = parameter.initial() instanceof Initial.Matrix;
    return new ParameterSpec(
        positionalName(parameter, k),
        shape,
        isMatrix ? initial(form, shape.get(1), DEVIATION) : parameter.initial(),
        isMatrix,
        parameter.bounds(),
        parameter.table(),
        true,
        parameter.rate());
  }

  /** The tensors of the states, which no recurrence but that of one block has. */
  private static void addStates(List<ParameterSpec> specs, ModelConfig config, int states) {
    int d = config.width();
    DecoderForm form = config.form();
    String name = states(config);
    specs.add(spec(name + "init", List.of(states, d), new Initial.Normal(DEVIATION), false));
    specs.add(spec(name + "ids", List.of(states, d), new Initial.Normal(1), false));
    specs.add(vector(name + "ln.weight", d, 1));
    specs.add(vector(name + "ln.bias", d, 0));
    addLinear(specs, name + "c_attn", d, 4 * d, initial(form, d, DEVIATION), true);
    addLinear(specs, name + "c_proj", 2 * d, d, initial(form, 2 * d, DEVIATION), true);
    specs.add(spec(name + "gate", List.of(d), new Initial.Normal(GATE_DEVIATION), false));
    addLinear(specs, name + "c_read", d, d, initial(form, d, DEVIATION), true);
    specs.add(matrix(name + "c_read_proj.weight", d, d, initial(form, d, residual(config))));
  }

  private static void addNorm(List<ParameterSpec> specs, ModelConfig config, String name) {
    specs.add(vector(name + ".weight", config.width(), 1));
    if (config.form().norms().hasBias()) {
      specs.add(vector(name + ".bias", config.width(), 0));
    }
  }

  private static Initial initial(DecoderForm form, int inputs, double deviation) {
    return switch (form.initial()) {
      case GPT2 -> new Initial.Normal(deviation);
      case FAN_IN -> fanIn(inputs);
    };
  }

  private static Initial fanIn(int inputs) {
    return new Initial.TruncatedNormal(1 / Math.sqrt(inputs));
  }

  private static Initial ofTokens(ModelConfig config) {
    return switch (config.form().initial()) {
      case GPT2 ->
          new Initial.Normal(config.position().positionTable().tokenDeviation(config.width()));
      case FAN_IN -> new Initial.TruncatedNormal(DEVIATION);
    };
  }

  private static void addLinear(
      List<ParameterSpec> specs, String name, int in, int out, Initial initial, boolean hasBias) {
    specs.add(matrix(name + ".weight", out, in, initial));
    if (hasBias) {
      specs.add(vector(name + ".bias", out, 0));
    }
  }

  private static ParameterSpec matrix(String name, int rows, int columns, Initial initial) {
    return spec(name, List.of(rows, columns), initial, true);
  }

  private static ParameterSpec vector(String name, int size, float value) {
    return spec(name, List.of(size), new Initial.Constant(value), false);
  }

  private static ParameterSpec spec(
      String name, List<Integer> shape, Initial initial, boolean decays) {
    return new ParameterSpec(name, shape, initial, decays, Bounds.NONE, Optional.empty(), false, 1);
  }
}
