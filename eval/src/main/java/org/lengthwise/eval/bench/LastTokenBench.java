package org.lengthwise.eval.bench;

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
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.RandomStreams;
import org.lengthwise.training.model.Decoder;
import org.lengthwise.training.model.ModelConfig;
import org.lengthwise.training.model.Weights;

/**
 * The evaluation of one last token of a long sequence under random weights, in three forms: what
 * the last position depends on and nothing else; every position in structured form; every position
 * by dense masks in each layer, with the logits of all of them. The dense form takes minutes at
 * full size, so its first pass is its only one.
 *
 * @param sizes the models
 * @param precision the format of the products
 * @param timer how passes are timed
 */
record LastTokenBench(Sizes sizes, Precision precision, Interleaved timer) {
  private static final long SEED = 1;
  private static final String EVERY_POSITION = "every position";
  private static final String DENSE_MASKS = "dense masks, all logits";

  /**
   * The models.
   *
   * @param length T
   * @param regular a model whose position is RegularGPT, in all three forms
   * @param prunedOnly further models by names of any kind, in the first form alone
   */
  public record Sizes(int length, ModelConfig regular, Map<String, ModelConfig> prunedOnly) {
    /** Checks the values. */
    public Sizes {
      BenchConfig.requirePositive("length", length);
      prunedOnly = Collections.unmodifiableMap(new LinkedHashMap<>(prunedOnly));
      if (!(regular.position() instanceof RegularGpt)) {
        throw new IllegalArgumentException(
            "regular: expected the scheme regulargpt, found " + regular.position().label());
      }
    }
  }

  /** RegularGPT's three forms, then the other models. */
  List<BenchRow> run(Device device) {
    List<BenchRow> rows = new ArrayList<>();
    RandomStreams streams = new RandomStreams(SEED);
    try (Weights weights = Weights.initialise(sizes.regular(), streams, device)) {
      rows.addAll(regular(weights));
    }
    for (ModelConfig model : sizes.prunedOnly().values()) {
      try (Weights weights = Weights.initialise(model, streams, device);
          Decoder decoder = new Decoder(model, weights, precision)) {
        rows.addAll(rows(model, List.of(pruned(decoder, device))));
      }
    }
    return rows;
  }

  private List<BenchRow> regular(Weights weights) {
    Device device = weights.device();
    ModelConfig model = sizes.regular();
    try (Decoder decoder = new Decoder(model, weights, precision);
        MaskedDecoder masked = new MaskedDecoder(model, weights, precision)) {
      Interleaved.Form structured =
          Interleaved.Form.of(
                  EVERY_POSITION, () -> evaluate(device, inputs -> everyPosition(decoder, inputs)))
              .against(DENSE_MASKS);
      Interleaved.Form dense =
          Interleaved.Form.once(
              DENSE_MASKS, () -> evaluate(device, inputs -> denseMasks(decoder, masked, inputs)));
      Interleaved.Form last = pruned(decoder, device).against(EVERY_POSITION, DENSE_MASKS);
      return rows(model, List.of(last, structured, dense));
    }
  }

  private Interleaved.Form pruned(Decoder decoder, Device device) {
    return Interleaved.Form.of(
        "last position",
        () ->
            evaluate(
                device,
                inputs -> {
                  NDArray x_1d = decoder.lastHidden(decoder.embed(inputs.tokens_1T(), false));
                  return decoder.nll(x_1d, inputs.last(), false).getFloat();
                }));
  }

  private List<BenchRow> rows(ModelConfig model, List<Interleaved.Form> forms) {
    String name =
        "%s, %d layers, d = %d"
            .formatted(
                model.position().label(), model.executedLayers(sizes.length()), model.width());
    return new BenchRow.Subject(Part.LAST_TOKEN, name, sizes.length(), sizes.length())
        .rows(timer.run(forms));
  }

  private static double everyPosition(Decoder decoder, Inputs inputs) {
    NDArray x_1Td = decoder.hidden(decoder.embed(inputs.tokens_1T(), false), false);
    return decoder.nll(x_1Td.get(new NDIndex(":, -1")), inputs.last(), false).getFloat();
  }

  private static double denseMasks(Decoder decoder, MaskedDecoder masked, Inputs inputs) {
    NDArray x_1Td = masked.hidden(decoder.embed(inputs.tokens_1T(), false));
    NDArray targets_T = inputs.targets_1T().reshape(-1);
    NDArray nlls_T = decoder.nll(x_1Td.squeeze(0), targets_T, false);
    return nlls_T.getFloat(nlls_T.size() - 1);
  }

  /**
   * A sequence.
   *
   * @param tokens_1T the tokens read
   * @param targets_1T the token after each
   */
  private record Inputs(NDArray tokens_1T, NDArray targets_1T) {
    NDArray last() {
      return targets_1T.get(new NDIndex("0, -1:"));
    }
  }

  private double evaluate(Device device, ToDoubleFunction<Inputs> form) {
    try (NDManager pass = NDManager.newBaseManager(device, "PyTorch")) {
      long[] tokens =
          new RandomStreams(SEED)
              .stream("tokens").longs(sizes.length() + 1L, 0, vocabulary()).toArray();
      NDArray all_N = pass.create(tokens, new Shape(1, tokens.length));
      return form.applyAsDouble(
          new Inputs(all_N.get(new NDIndex(":, :-1")), all_N.get(new NDIndex(":, 1:"))));
    }
  }

  private int vocabulary() {
    return sizes.prunedOnly().values().stream()
        .mapToInt(ModelConfig::vocabulary)
        .reduce(sizes.regular().vocabulary(), Math::min);
  }
}
