package org.lengthwise.eval.perplexity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.eval.Schemes;
import org.lengthwise.eval.SmallModel;
import org.lengthwise.eval.score.Scorer;
import org.lengthwise.positional.PositionalScheme;

class LastTokenEvaluatorIT {
  private static final TokenStream TOKENS = SmallModel.tokens(200);
  private static final long[] TARGETS = {60, 61, 100, 150, 199};

  static List<PositionalScheme> schemes() {
    return Schemes.all();
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void lastTokenOfAChunkScoresAsItDoesAmongAllItsTokens(PositionalScheme scheme) {
    try (SmallModel model = new SmallModel(scheme)) {
      LastTokenEvaluator evaluator = new LastTokenEvaluator(model.decoder(), model.manager(), 64);
      Scorer scorer = new Scorer(model.decoder(), model.manager());
      for (int length : new int[] {2, 3, 10, 11, 61}) {
        double[] scored = evaluator.score(TOKENS, TARGETS, length, done -> {});
        for (int i = 0; i < TARGETS.length; i++) {
          int[] chunk = new int[length];
          TOKENS.read(TARGETS[i] - length + 1, chunk, 0, length);
          float[] all = scorer.score(chunk);
          assertThat(scored[i])
              .as("%d tokens, target %d", length, TARGETS[i])
              .isEqualTo((double) all[length - 2], within(1e-5));
        }
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
      LastTokenEvaluator evaluator = new LastTokenEvaluator(model.decoder(), model.manager(), 64);
      List<Long> progress = new ArrayList<>();
      double[] together = evaluator.score(TOKENS, many, 20, progress::add);
      assertThat(progress).hasSizeGreaterThan(1).endsWith(1500L);
      for (int i = 0; i < 160; i += 40) {
        double[] alone = evaluator.score(TOKENS, new long[] {many[i]}, 20, done -> {});
        assertThat(together[i]).isEqualTo(alone[0], within(1e-5));
        assertThat(together[i + 1440 - 160]).isEqualTo(alone[0], within(1e-5));
      }
    }
  }
}
