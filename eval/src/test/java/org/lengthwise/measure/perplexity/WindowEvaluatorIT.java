package org.lengthwise.measure.perplexity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.eval.SmallModel;
import org.lengthwise.generate.Scorer;
import org.lengthwise.measure.BatchPlan;
import org.lengthwise.measure.perplexity.ProtocolConfig.Aligned;
import org.lengthwise.measure.perplexity.ProtocolConfig.ByPosition;
import org.lengthwise.measure.perplexity.ProtocolConfig.NonOverlapping;
import org.lengthwise.measure.perplexity.ProtocolConfig.Sliding;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.Linear;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Schemes;
import org.lengthwise.result.ScoredTargets;

/** Compares the protocols with each other and with the scores of a given text, for all schemes. */
class WindowEvaluatorIT {
  private static final TokenStream TOKENS = SmallModel.tokens(400);
  private static final int LONGEST = 41;
  private static final int[] LENGTHS = {4, 10, 11, LONGEST};
  private static final WindowDraw DRAW = new WindowDraw(Segments.whole(400), LONGEST, 3);

  static List<PositionalScheme> schemes() {
    return Schemes.all();
  }

  private static ScoredTargets score(SmallModel model, ProtocolConfig protocol, int length) {
    return score(model, DRAW.windows(protocol, length));
  }

  private static ScoredTargets score(SmallModel model, ScoredWindows windows) {
    return score(model, windows, Optional.empty());
  }

  private static ScoredTargets score(
      SmallModel model, ScoredWindows windows, Optional<Integer> bos) {
    WindowEvaluator evaluator =
        new WindowEvaluator(
            model.decoder(), model.manager(), new BatchPlan(model.decoder().config(), 64), bos);
    return windows.with(evaluator.score(TOKENS, windows, done -> {}));
  }

  private static void assertSame(ScoredTargets found, int row, ScoredTargets expected, int other) {
    assertThat(found.target(row)).isEqualTo(expected.target(other));
    assertThat(found.position(row)).isEqualTo(expected.position(other));
    assertThat(found.nll(row)).isCloseTo(expected.nll(other), rounding(expected.nll(other)));
  }

  /** Some units in the last place of a float: an untrained model can score 45 nats. */
  private static Offset<Double> rounding(double nll) {
    return within(1e-5 + 3e-6 * nll);
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void everyTargetScoresAsInAGivenText(PositionalScheme scheme) {
    try (SmallModel model = new SmallModel(scheme)) {
      Scorer scorer = new Scorer(model.decoder(), model.manager());
      for (int length : LENGTHS) {
        for (ProtocolConfig protocol :
            List.of(new Aligned(5), new Sliding(5, 3), new NonOverlapping(2), new ByPosition(3))) {
          ScoredWindows windows = DRAW.windows(protocol, length);
          ScoredTargets rows = score(model, windows);
          for (int window = 0; window < windows.count(); window++) {
            int[] tokens = new int[length];
            TOKENS.read(windows.start(window), tokens, 0, length);
            float[] expected = scorer.score(tokens);
            for (int i = 0; i < windows.scored(); i++) {
              int row = window * windows.scored() + i;
              assertThat(rows.target(row)).isEqualTo(windows.start(window) + rows.position(row));
              double score = expected[rows.position(row) - 1];
              assertThat(rows.nll(row))
                  .as("%s at %d, row %d", protocol, length, row)
                  .isCloseTo(score, rounding(score));
            }
          }
        }
      }
    }
  }

  /** The other tokens, the targets and their positions are those of the window. */
  @ParameterizedTest
  @MethodSource("schemes")
  void bosIsReadAtThePlaceOfTheOldestToken(PositionalScheme scheme) {
    int bos = 3;
    try (SmallModel model = new SmallModel(scheme)) {
      Scorer scorer = new Scorer(model.decoder(), model.manager());
      for (int length : LENGTHS) {
        for (ProtocolConfig protocol :
            List.of(new Aligned(5), new Sliding(5, 3), new NonOverlapping(2), new ByPosition(3))) {
          ScoredWindows windows = DRAW.windows(protocol, length);
          ScoredTargets rows = score(model, windows, Optional.of(bos));
          assertThat(rows.targetsSha256()).isEqualTo(score(model, windows).targetsSha256());
          for (int row = 0; row < rows.count(); row++) {
            int[] tokens = new int[length];
            TOKENS.read(windows.start(row / windows.scored()), tokens, 0, length);
            tokens[0] = bos;
            double expected = scorer.score(tokens)[rows.position(row) - 1];
            assertThat(rows.nll(row))
                .as("%s at %d, row %d", protocol, length, row)
                .isCloseTo(expected, rounding(expected));
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void theLastTargetOfEachWindowScoresTheSameUnderEveryProtocol(PositionalScheme scheme) {
    try (SmallModel model = new SmallModel(scheme)) {
      for (int length : LENGTHS) {
        ScoredTargets aligned = score(model, new Aligned(20), length);
        ScoredTargets stride1 = score(model, new Sliding(20, 1), length);
        ScoredTargets byPosition = score(model, new ByPosition(20), length);
        for (int window = 0; window < 20; window++) {
          assertSame(stride1, window, aligned, window);
          assertSame(byPosition, (window + 1) * (length - 1) - 1, aligned, window);
        }
      }
    }
  }

  /** Compares the path over all positions with the path that computes the last position only. */
  @ParameterizedTest
  @MethodSource("schemes")
  void theLastTargetOfASlidingWindowScoresAsItsOnlyTarget(PositionalScheme scheme) {
    try (SmallModel model = new SmallModel(scheme)) {
      ScoredTargets sliding = score(model, new Sliding(6, 3), 11);
      long[] lasts =
          IntStream.range(0, 6).mapToLong(window -> sliding.target(3 * window + 2)).toArray();
      ScoredTargets alone = score(model, new ScoredWindows(11, 1, lasts));
      for (int window = 0; window < 6; window++) {
        assertSame(sliding, 3 * window + 2, alone, window);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void batchSizeDoesNotChangeResults(PositionalScheme scheme) {
    long[] many = new long[1500];
    for (int i = 0; i < many.length; i++) {
      many[i] = 40L + i % 160;
    }
    try (SmallModel model = new SmallModel(scheme)) {
      WindowEvaluator evaluator =
          new WindowEvaluator(
              model.decoder(),
              model.manager(),
              new BatchPlan(model.decoder().config(), 64),
              Optional.empty());
      List<Long> progress = new ArrayList<>();
      ScoredWindows windows = new ScoredWindows(20, 1, many);
      double[] together = evaluator.score(TOKENS, windows, progress::add);
      assertThat(progress).hasSizeGreaterThan(1).endsWith(1500L);
      for (int i = 0; i < 160; i += 40) {
        double alone = score(model, new ScoredWindows(20, 1, new long[] {many[i]})).nll(0);
        assertThat(together[i]).isCloseTo(alone, rounding(alone));
        assertThat(together[i + 1440 - 160]).isCloseTo(alone, rounding(alone));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRecurrenceReadsALongWindowInPieces(Linear.Member member) {
    int length = 2200;
    TokenStream tokens = SmallModel.tokens(length + 100);
    try (SmallModel model = new SmallModel(new Linear(member, false))) {
      for (int scored : new int[] {1, 3, length - 1}) {
        ScoredWindows windows = new ScoredWindows(length, scored, new long[] {length, length + 50});
        double[] found =
            new WindowEvaluator(
                    model.decoder(),
                    model.manager(),
                    new BatchPlan(model.decoder().config(), 64),
                    Optional.empty())
                .score(tokens, windows, done -> {});
        for (int row = 0; row < found.length; row += scored < length - 1 ? 1 : 271) {
          int[] text = new int[length];
          tokens.read(windows.start(row / scored), text, 0, length);
          double whole = nll(model, text, length - scored + row % scored);
          assertThat(found[row]).isCloseTo(whole, rounding(whole));
        }
      }
    }
  }

  /** The negative log-likelihood of one token, after all earlier ones in one pass. */
  private static double nll(SmallModel model, int[] text, int target) {
    long[] before = Arrays.stream(text, 0, target).asLongStream().toArray();
    try (NDManager pass = model.manager().newSubManager()) {
      NDArray tokens_1T = pass.create(before, new Shape(1, target));
      NDArray x_1d = model.decoder().lastHidden(model.decoder().embed(tokens_1T));
      return model.decoder().nll(x_1d, pass.create(new long[] {text[target]})).getFloat();
    }
  }

  @Test
  void logitsComputedInPartsAreTheSame() {
    ScoredWindows windows = DRAW.windows(new ByPosition(7), LONGEST);
    try (SmallModel model = new SmallModel(new Alibi())) {
      double[] whole =
          new WindowEvaluator(
                  model.decoder(),
                  model.manager(),
                  new BatchPlan(model.decoder().config(), 64),
                  Optional.empty())
              .score(TOKENS, windows, done -> {});
      double[] parts =
          new WindowEvaluator(
                  model.decoder(),
                  model.manager(),
                  new BatchPlan(model.decoder().config(), 64),
                  Optional.empty(),
                  17)
              .score(TOKENS, windows, done -> {});
      assertThat(parts).hasSize(280).containsExactly(whole, within(1e-5));
    }
  }
}
