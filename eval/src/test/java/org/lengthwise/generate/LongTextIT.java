package org.lengthwise.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.eval.SmallModel;
import org.lengthwise.model.BlockRecurrence;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.Recurrence;
import org.lengthwise.model.Staircase;
import org.lengthwise.positional.SlidingWindow;

/** Recurrent models read texts of any length with a state of constant size. */
class LongTextIT {
  private static final int VOCABULARY = 11;
  private static final int[] TOKENS = new Random(4).ints(100, 0, VOCABULARY).toArray();

  /** A recurrence, and the window of its scheme. */
  static Stream<Arguments> models() {
    return Stream.of(
        Arguments.of(new Staircase(5, 3), 4),
        Arguments.of(new BlockRecurrence(5, 2, 1), 4),
        Arguments.of(new BlockRecurrence(1, 1, 0), 1));
  }

  private static SmallModel model(Recurrence recurrence, int window) {
    return new SmallModel(
        new ModelConfig(2, 12, 3, VOCABULARY, new SlidingWindow(window, SlidingWindow.Within.ALIBI))
            .with(recurrence),
        Device.cpu());
  }

  @ParameterizedTest
  @MethodSource("models")
  void scoresOfPiecesAreThoseOfOnePass(Recurrence recurrence, int window) {
    try (SmallModel model = model(recurrence, window)) {
      float[] onePass = new Scorer(model.decoder(), model.manager()).score(TOKENS);
      for (int piece : new int[] {1, 7, 20, 98}) {
        assertThat(new Scorer(model.decoder(), model.manager(), piece).score(TOKENS))
            .as("pieces of %d", piece)
            .containsExactly(onePass, within(1e-4f));
      }
    }
  }

  /** A context of 2 tokens would give other tokens if it were a limit. */
  @ParameterizedTest
  @MethodSource("models")
  void generationHasNoLimitOfContext(Recurrence recurrence, int window) {
    try (SmallModel model = model(recurrence, window)) {
      assertThat(generate(model, 2)).isEqualTo(generate(model, 200));
    }
  }

  private static List<Integer> generate(SmallModel model, int context) {
    List<Integer> tokens = new ArrayList<>();
    new Generator(model.decoder(), model.manager(), new Sampler(0, 0, 1), context, 0)
        .generate(TOKENS, new Generator.Limit(30, -1), new Random(8), tokens::add);
    return tokens;
  }
}
