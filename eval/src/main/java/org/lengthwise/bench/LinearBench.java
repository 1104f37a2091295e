package org.lengthwise.bench;

import ai.djl.ndarray.NDManager;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lengthwise.bench.RoundRobinTimer.Variant;
import org.lengthwise.bench.RoundRobinTimer.Workload;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.TextState;
import org.lengthwise.model.Weights;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.attention.Numerics;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.training.config.OptimizerConfig;
import org.lengthwise.training.config.TrainingConfig;

/**
 * Linear recurrences beside attention. All training steps of a length take turns: of attention, and
 * of each recurrence in our form and in a {@linkplain PlainChunks plain chunk form}. Then each
 * model reads a text and times its next tokens, whose cost grows with a cache and not with a state.
 *
 * @param lengths the lengths T of training steps, multiples of 64
 * @param tokens the tokens of a step; a longer sequence is a step of its own
 * @param model layers, width and heads of every model
 * @param vocabulary V, the number of token ids
 * @param attention the scheme that recurrences are compared with
 * @param recurrences linear recurrences by their names in the table
 * @param texts the tokens that stand before the next ones, fewest first
 * @param optimizer the optimizer; its largest learning rate is used in every step
 */
public record LinearBench(
    @Unit("tokens") List<Integer> lengths,
    @Unit("tokens") int tokens,
    TrainingConfig.ModelSize model,
    int vocabulary,
    PositionalScheme attention,
    Map<String, PositionalScheme> recurrences,
    @Unit("tokens") List<Integer> texts,
    OptimizerConfig optimizer)
    implements BenchPart.Sizes {
  private static final String ATTENTION = "attention";
  private static final String STEP = "training step";
  private static final int NEXT_TOKENS = 16;

  public LinearBench {
    lengths = List.copyOf(lengths);
    lengths.forEach(
        length -> Checks.require(length % 64 == 0, "lengths", "multiples of 64", length));
    recurrences = Collections.unmodifiableMap(new LinkedHashMap<>(recurrences));
    for (PositionalScheme each : recurrences.values()) {
      Checks.require(
          PlainChunks.MEMBERS.contains(each.label()),
          "recurrences",
          "linear recurrences with a plain chunk form, of " + PlainChunks.MEMBERS,
          each.label());
    }
    texts = List.copyOf(texts);
  }

  private ModelConfig config(PositionalScheme scheme) {
    return new ModelConfig(model.layers(), model.width(), model.heads(), vocabulary, scheme);
  }

  private int batch(int length) {
    return Math.max(1, tokens / length);
  }

  private Workload workload(int length) {
    return new Workload(BenchPart.LINEAR, STEP, length, batch(length) * length);
  }

  @Override
  public List<BenchRow> run(BenchSetting setting) throws IOException {
    List<BenchRow> rows = new ArrayList<>();
    for (int length : lengths) {
      rows.addAll(setting.rows(workload(length), "", () -> steps(length, setting)));
    }
    for (Map.Entry<String, PositionalScheme> each : recurrences.entrySet()) {
      rows.addAll(nextTokens(each.getKey(), each.getValue(), setting));
    }
    rows.addAll(nextTokens(ATTENTION, attention, setting)); // the largest memory last
    return rows;
  }

  private List<BenchRow> steps(int length, BenchSetting setting) throws IOException {
    List<TrainingStep> open = new ArrayList<>();
    List<Variant> variants = new ArrayList<>();
    try (PlainChunks chunks = PlainChunks.on(setting.device())) {
      open.add(step(length, attention, setting, null));
      variants.add(Variant.of(ATTENTION, open.get(0)::next));
      for (Map.Entry<String, PositionalScheme> each : recurrences.entrySet()) {
        TrainingStep ours = step(length, each.getValue(), setting, null);
        open.add(ours);
        TrainingStep plain = step(length, each.getValue(), setting, chunks);
        open.add(plain);
        String name = "plain " + each.getKey();
        variants.add(Variant.of(each.getKey(), ours::next).against(name).inTimeAgainst(ATTENTION));
        variants.add(Variant.of(name, plain::next).inTimeAgainst(ATTENTION));
      }
      return setting.timer().run(workload(length), variants);
    } finally {
      open.forEach(TrainingStep::close);
    }
  }

  private TrainingStep step(
      int length, PositionalScheme scheme, BenchSetting setting, @Nullable PlainChunks chunks)
      throws IOException {
    int batch = batch(length);
    TrainingBench sizes = new TrainingBench(1, length, batch, batch, config(scheme), optimizer);
    return TrainingStep.of(sizes, Numerics.of(setting.precision()), setting.device(), chunks);
  }

  private List<BenchRow> nextTokens(String name, PositionalScheme scheme, BenchSetting setting)
      throws IOException {
    List<BenchRow> rows = new ArrayList<>();
    RandomStreams streams = new RandomStreams(1);
    try (Weights weights = Weights.initialise(config(scheme), streams, setting.device());
        LanguageModel decoder =
            LanguageModel.of(config(scheme), weights, Numerics.of(setting.precision()));
        NDManager manager = NDManager.newBaseManager(setting.device(), "PyTorch")) {
      for (int length : texts) {
        int[] text = streams.stream("text").ints(length, 0, vocabulary).toArray();
        int room = (setting.timer().repetitions() + 1) * NEXT_TOKENS;
        try (TextState state = decoder.begin(manager, length + room)) {
          state.append(text).close();
          rows.addAll(
              setting
                  .timer()
                  .run(
                      new Workload(BenchPart.LINEAR, "next token", length, NEXT_TOKENS),
                      List.of(Variant.of(name, () -> next(state)))));
        }
      }
    }
    return rows;
  }

  private static double next(TextState state) {
    for (int i = 0; i < NEXT_TOKENS; i++) {
      state.append(new int[] {i}).close();
    }
    return 0;
  }
}
