package org.lengthwise.bench;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.model.Decoder;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.Weights;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.attention.Attention;
import org.lengthwise.positional.attention.AttentionKernels;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.random.RandomStreams;

/**
 * The evaluation of the last token of a long sequence under random weights. Three variants: only
 * what the last position depends on; every position in structured form; every position with a dense
 * mask in each layer, and the logits of every position. The dense variant takes minutes at full
 * size, so it runs once.
 *
 * @param precision the format of the products
 */
record LastTokenBench(Sizes sizes, Precision precision, RoundRobinTimer timer) {
  private static final long SEED = 1;
  private static final String EVERY_POSITION = "every position";
  private static final String DENSE_MASKS = "dense masks, all logits";

  /**
   * The models of the part last-token.
   *
   * @param length T, the length of a sequence
   * @param regular a RegularGPT model, in all three variants
   * @param prunedOnly further models by any name, in the first variant only
   */
  public record Sizes(
      @Unit("tokens") int length, ModelConfig regular, Map<String, ModelConfig> prunedOnly) {
    /** Requires RegularGPT as the scheme of {@code regular}. */
    public Sizes {
      Checks.atLeast("length", length, 1);
      prunedOnly = Collections.unmodifiableMap(new LinkedHashMap<>(prunedOnly));
      Checks.require(
          regular.position().reach().hasDilation(),
          "regular.position",
          "the scheme regulargpt",
          regular.position().label());
    }
  }

  /** The three variants of RegularGPT, then the other models. */
  List<BenchRow> run(Device device) {
    List<BenchRow> rows = new ArrayList<>();
    RandomStreams streams = new RandomStreams(SEED);
    try (Weights weights = Weights.initialise(sizes.regular(), streams, device)) {
      rows.addAll(regular(weights));
    }
    for (ModelConfig config : sizes.prunedOnly().values()) {
      try (Weights weights = Weights.initialise(config, streams, device);
          LanguageModel model = LanguageModel.of(config, weights, precision)) {
        rows.addAll(rows(config, List.of(pruned(model, device))));
      }
    }
    return rows;
  }

  private List<BenchRow> regular(Weights weights) {
    Device device = weights.device();
    ModelConfig config = sizes.regular();
    try (LanguageModel model = LanguageModel.of(config, weights, precision);
        LanguageModel masked =
            new Decoder(
                config,
                weights,
                precision,
                (scheme, kernels, tensors, pass, shared) ->
                    denseAttention(scheme, kernels, tensors))) {
      RoundRobinTimer.Variant structured =
          RoundRobinTimer.Variant.of(
                  EVERY_POSITION, () -> evaluate(device, inputs -> everyPosition(model, inputs)))
              .against(DENSE_MASKS);
      RoundRobinTimer.Variant dense =
          RoundRobinTimer.Variant.once(
              DENSE_MASKS, () -> evaluate(device, inputs -> denseMasks(masked, inputs)));
      RoundRobinTimer.Variant last = pruned(model, device).against(EVERY_POSITION, DENSE_MASKS);
      return rows(config, List.of(last, structured, dense));
    }
  }

  private RoundRobinTimer.Variant pruned(LanguageModel model, Device device) {
    return RoundRobinTimer.Variant.of(
        "last position",
        () ->
            evaluate(
                device,
                inputs -> {
                  NDArray x_1d = model.lastHidden(model.embed(inputs.tokens_1T()));
                  return model.nll(x_1d, inputs.last()).getFloat();
                }));
  }

  private List<BenchRow> rows(ModelConfig config, List<RoundRobinTimer.Variant> variants) {
    String name =
        "%s, %s layers, d = %s"
            .formatted(
                config.position().label(), config.executedLayers(sizes.length()), config.width());
    return new BenchRow.Workload(BenchPart.LAST_TOKEN, name, sizes.length(), sizes.length())
        .rows(timer.run(variants));
  }

  private static double everyPosition(LanguageModel model, Inputs inputs) {
    NDArray x_1Td = model.hidden(model.embed(inputs.tokens_1T()));
    return model.nll(x_1Td.get(new NDIndex(":, -1")), inputs.last()).getFloat();
  }

  private static double denseMasks(LanguageModel masked, Inputs inputs) {
    NDArray x_1Td = masked.hidden(masked.embed(inputs.tokens_1T()));
    NDArray targets_T = inputs.targets_1T().reshape(-1);
    NDArray nlls_T = masked.nll(x_1Td.squeeze(0), targets_T);
    return nlls_T.getFloat(nlls_T.size() - 1);
  }

  /** Attention with a mask [T, T] in each layer. */
  private static Attention denseAttention(
      PositionalScheme scheme, AttentionKernels kernels, Attention.Tensors tensors) {
    return (qkv_BT3d, block, level) ->
        kernels.masked(qkv_BT3d, tensors.get("r", block), scheme.reach().dilation(level));
  }

  /**
   * A sequence.
   *
   * @param tokens_1T the tokens
   * @param targets_1T the token that follows each
   */
  private record Inputs(NDArray tokens_1T, NDArray targets_1T) {
    NDArray last() {
      return targets_1T.get(new NDIndex("0, -1:"));
    }
  }

  private double evaluate(Device device, ToDoubleFunction<Inputs> variant) {
    try (NDManager pass = NDManager.newBaseManager(device, "PyTorch")) {
      long[] tokens =
          new RandomStreams(SEED)
              .stream("tokens").longs(sizes.length() + 1L, 0, vocabulary()).toArray();
      NDArray all_N = pass.create(tokens, new Shape(1, tokens.length));
      return variant.applyAsDouble(
          new Inputs(all_N.get(new NDIndex(":, :-1")), all_N.get(new NDIndex(":, 1:"))));
    }
  }

  private int vocabulary() {
    return sizes.prunedOnly().values().stream()
        .mapToInt(ModelConfig::vocabulary)
        .reduce(sizes.regular().vocabulary(), Math::min);
  }
}
