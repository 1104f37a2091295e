package org.lengthwise.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lengthwise.bench.RoundRobinTimer.Variant;
import org.lengthwise.bench.RoundRobinTimer.Workload;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.model.Decoder;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.Weights;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.attention.Attention;
import org.lengthwise.positional.attention.AttentionKernels;
import org.lengthwise.positional.attention.Numerics;
import org.lengthwise.random.RandomStreams;

/**
 * The evaluation of the last token of a long sequence under random weights. Three variants: only
 * what the last position depends on; every position in structured form; every position with a dense
 * mask in each layer, and the logits of every position. The dense variant takes minutes at full
 * size, so it runs once.
 *
 * @param length T, the length of a sequence
 * @param regular a RegularGPT model, in all three variants
 * @param prunedOnly further models by any name, in the first variant only
 */
public record LastTokenBench(
    @Unit("tokens") int length, ModelConfig regular, Map<String, ModelConfig> prunedOnly)
    implements BenchPart.Sizes {
  private static final RandomStreams STREAMS = new RandomStreams(1);
  private static final String LAST = "last position";
  private static final String EVERY_POSITION = "every position";
  private static final String DENSE_MASKS = "dense masks, all logits";

  public LastTokenBench {
    Checks.atLeast("length", length, 1);
    prunedOnly = Collections.unmodifiableMap(new LinkedHashMap<>(prunedOnly));
    Checks.require(
        regular.position().reach().hasDilation(),
        "regular.position",
        "the scheme regulargpt",
        regular.position().label());
  }

  @Override
  public List<BenchRow> run(BenchSetting setting) throws IOException {
    List<BenchRow> rows = new ArrayList<>();
    List<ModelConfig> models = new ArrayList<>(List.of(regular));
    models.addAll(prunedOnly.values());
    for (ModelConfig model : models) {
      rows.addAll(
          setting.rows(
              row -> row.workload().equals(name(model)),
              new Workload(BenchPart.LAST_TOKEN, name(model), length, length),
              LAST,
              () -> rows(model, model.equals(regular), setting)));
    }
    return rows;
  }

  private String name(ModelConfig model) {
    PositionalScheme scheme = model.position();
    return "%s%s, %s layers, d = %s"
        .formatted(
            scheme.label(),
            scheme.reach().hasDilation() ? " with C = " + scheme.reach().dilation(1) : "",
            model.executedLayers(length),
            model.width());
  }

  private List<BenchRow> rows(ModelConfig config, boolean hasReferences, BenchSetting setting) {
    RandomText text = new RandomText(setting.device(), 1, length, config.vocabulary());
    try (Weights weights = Weights.initialise(config, STREAMS, setting.device());
        LanguageModel model = LanguageModel.of(config, weights, setting.precision());
        LanguageModel masked =
            new Decoder(
                config,
                weights,
                Numerics.of(setting.precision()),
                (scheme, kernels, tensors, pass, shared) ->
                    denseAttention(scheme, kernels, tensors))) {
      Variant last = Variant.of(LAST, () -> text.last(model));
      Variant every =
          Variant.of(
              EVERY_POSITION,
              () ->
                  text.read(
                      (tokens_1T, targets_1T) ->
                          model.nll(
                              RandomText.last(model.hidden(model.embed(tokens_1T))),
                              RandomText.last(targets_1T))));
      Variant dense =
          Variant.once(
              DENSE_MASKS,
              () ->
                  text.read(
                      (tokens_1T, targets_1T) ->
                          RandomText.everyNll(masked, tokens_1T, targets_1T).get("-1:")));
      return setting
          .timer()
          .run(
              new Workload(BenchPart.LAST_TOKEN, name(config), length, length),
              hasReferences
                  ? List.of(
                      last.against(EVERY_POSITION, DENSE_MASKS), every.against(DENSE_MASKS), dense)
                  : List.of(last));
    }
  }

  /** Attention with a mask [T, T] in each layer. */
  private static Attention denseAttention(
      PositionalScheme scheme, AttentionKernels kernels, Attention.Tensors tensors) {
    return (qkv_BT3d, block, level) ->
        kernels.masked(qkv_BT3d, tensors.get("r", block), scheme.reach().dilation(level));
  }
}
