package org.lengthwise.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.eval.SmallModel;
import org.lengthwise.model.BlockRecurrence;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.Staircase;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.Layers;
import org.lengthwise.positional.Linear;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.SlidingWindow;

/** Recurrent models read texts of any length with a state of constant size. */
class LongTextIT {
  private static final int VOCABULARY = 11;
  private static final Linear LINEAR = new Linear(Linear.Member.GATED_DELTANET, false);
  private static final int[] TOKENS = new Random(4).ints(100, 0, VOCABULARY).toArray();

  static Stream<ModelConfig> models() {
    return Stream.of(
        windows(4).with(new Staircase(5, 3)),
        windows(4).with(new BlockRecurrence(5, 2, 1)),
        windows(1).with(new BlockRecurrence(1, 1, 0)),
        model(LINEAR));
  }

  private static ModelConfig windows(int window) {
    return model(new SlidingWindow(window, SlidingWindow.Within.ALIBI));
  }

  private static ModelConfig model(PositionalScheme scheme) {
    return new ModelConfig(2, 12, 3, VOCABULARY, scheme);
  }

  private static SmallModel open(ModelConfig config) {
    return new SmallModel(config, Device.cpu());
  }

  @ParameterizedTest
  @MethodSource("models")
  void scoresOfPiecesAreThoseOfOnePass(ModelConfig config) {
    try (SmallModel model = open(config)) {
      float[] onePass = new Scorer(model.decoder(), model.manager()).score(TOKENS);
      for (int piece : new int[] {1, 7, 20, 98}) {
        assertThat(new Scorer(model.decoder(), model.manager(), piece).score(TOKENS))
            .as("pieces of %d", piece)
            .containsExactly(onePass, within(1e-4f));
      }
    }
  }

  /** The second model is a hybrid, whose attention keeps keys: its text is not read in pieces. */
  static Stream<ModelConfig> linearModels() {
    return Stream.of(model(LINEAR), model(new Layers(List.of(LINEAR, new Alibi()))));
  }

  @ParameterizedTest
  @MethodSource("linearModels")
  void scoresOfALongTextAreThoseOfOnePass(ModelConfig config) {
    int[] tokens = new Random(5).ints(2_200, 0, VOCABULARY).toArray();
    try (SmallModel model = open(config)) {
      float[] onePass = new Scorer(model.decoder(), model.manager()).score(tokens);
      for (int piece : new int[] {100, 1_500}) {
        assertThat(new Scorer(model.decoder(), model.manager(), piece).score(tokens))
            .as("pieces of %d", piece)
            .containsExactly(onePass, within(1e-4f));
      }
    }
  }

  /** A context of 2 tokens would give other tokens if it were a limit. */
  @ParameterizedTest
  @MethodSource("models")
  void generationHasNoLimitOfContext(ModelConfig config) {
    try (SmallModel model = open(config)) {
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
