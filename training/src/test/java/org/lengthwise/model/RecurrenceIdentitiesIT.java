package org.lengthwise.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lengthwise.model.RecurrentModels.NONE;
import static org.lengthwise.model.RecurrentModels.SEED;
import static org.lengthwise.model.RecurrentModels.WINDOW;
import static org.lengthwise.model.RecurrentModels.config;
import static org.lengthwise.model.RecurrentModels.recurrences;
import static org.lengthwise.model.RecurrentModels.schemes;
import static org.lengthwise.model.RecurrentModels.tokens;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.model.RecurrentModels.Opened;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.training.TestDevice;

/** What recurrent models depend on, and the plain models that they contain. */
class RecurrenceIdentitiesIT {
  @ParameterizedTest
  @MethodSource("org.lengthwise.model.RecurrentModels#recurrences")
  void resultsOfAPrefixAreAPrefixAndDoNotDependOnLaterTokens(Recurrence recurrence) {
    try (Opened model = Opened.of(config(new Alibi(), recurrence))) {
      int[] tokens = tokens(300);
      float[] all = model.nll(tokens);
      assertThat(model.nll(Arrays.copyOf(tokens, 100)))
          .containsExactly(Arrays.copyOf(all, 99), within(TestDevice.tolerance(1e-6)));
      int[] changed = tokens.clone();
      changed[150] = (changed[150] + 1) % RandomModel.VOCABULARY;
      float[] after = model.nll(changed);
      assertThat(Arrays.copyOf(after, 149)).containsExactly(Arrays.copyOf(all, 149));
      assertThat(after[149]).isNotEqualTo(all[149]);
    }
  }

  @Test
  void aStaircaseOfOneChunkRunsTheBlocksNTimes() {
    int[] tokens = tokens(20);
    for (PositionalScheme scheme : schemes()) {
      try (Opened plain = Opened.of(config(scheme, Recurrence.none()));
          Opened staircase = Opened.of(config(scheme, new Staircase(20, 3)))) {
        NDArray x_BTd = plain.embed(tokens);
        for (int p = 0; p < 3; p++) {
          x_BTd = plain.model().hidden(x_BTd);
        }
        assertThat(staircase.hidden(tokens))
            .as(scheme.label())
            .containsExactly(x_BTd.toFloatArray(), within(TestDevice.tolerance(1e-5)));
      }
    }
  }

  @Test
  void aSinglePassOverOneChunkIsTheStack() {
    int[] tokens = tokens(20);
    try (Opened plain = Opened.of(config(new Alibi(), Recurrence.none()));
        Opened staircase = Opened.of(config(new Alibi(), new Staircase(20, 1)))) {
      assertThat(staircase.hidden(tokens))
          .containsExactly(plain.hidden(tokens), within(TestDevice.tolerance(1e-5)));
    }
  }

  @Test
  void aSinglePassOverChunksOfOneTokenSeesThatTokenOnly() {
    try (Opened staircase = Opened.of(config(new Alibi(), new Staircase(1, 1)))) {
      int width = staircase.model().config().width();
      float[] all = staircase.hidden(3, 5, 3, 7);
      for (int t : new int[] {0, 1, 2, 3}) {
        assertThat(Arrays.copyOfRange(all, t * width, (t + 1) * width))
            .containsExactly(
                staircase.hidden(List.of(3, 5, 3, 7).get(t)), within(TestDevice.tolerance(1e-5)));
      }
    }
  }

  /** Block recurrence whose tensor of states has one value everywhere. */
  private static RandomModel withStates(ModelConfig config, String tensor, float value) {
    RandomModel random = RandomModel.of(config, new Random(SEED));
    Arrays.fill(
        Objects.requireNonNull(random.floats().get(ParameterLayout.states(config) + tensor)),
        value);
    return random;
  }

  @ParameterizedTest
  @MethodSource("org.lengthwise.model.RecurrentModels#schemes")
  void blockRecurrenceThatReadsNothingIsTheStack(PositionalScheme scheme) {
    ModelConfig config = config(scheme, new BlockRecurrence(3, 2, 1));
    RandomModel silent = withStates(config, "c_read_proj.weight", 0);
    RandomModel plain = new RandomModel(config.with(Recurrence.none()), silent.floats());
    try (Opened found = Opened.of(silent, Precision.FLOAT32);
        Opened expected = Opened.of(plain, Precision.FLOAT32)) {
      assertThat(found.hidden(tokens(20)))
          .containsExactly(expected.hidden(tokens(20)), within(TestDevice.tolerance(1e-5)));
    }
  }

  /** Three blocks of window 2 see 4 tokens, and reading adds all others. */
  @Test
  void blockRecurrenceThatReadsNothingDependsOnItsWindows() {
    ModelConfig config =
        new ModelConfig(3, 4, 1, RandomModel.VOCABULARY, WINDOW).with(new BlockRecurrence(3, 2, 1));
    try (Opened silent = Opened.of(withStates(config, "c_read_proj.weight", 0), Precision.FLOAT32);
        Opened reading = Opened.of(config)) {
      float[] without = norms(silent.model(), silent.manager(), tokens(12));
      float[] with = norms(reading.model(), reading.manager(), tokens(12));
      for (int n = 0; n < 12; n++) {
        assertThat(without[n] != 0).as("position %d", n).isEqualTo(n >= 8);
        assertThat(with[n]).as("position %d", n).isNotZero();
      }
    }
  }

  /** Two blocks of window 2 see 3 tokens. States that never change add no others. */
  @Test
  void statesBehindAClosedGateDoNotDependOnTokens() {
    ModelConfig config = config(WINDOW, new BlockRecurrence(3, 2, 1));
    int[] tokens = tokens(14);
    int[] changed = tokens.clone();
    changed[0] = (changed[0] + 1) % RandomModel.VOCABULARY;
    int from = 3 * config.width();
    try (Opened closed = Opened.of(withStates(config, "gate", 40), Precision.FLOAT32);
        Opened open = Opened.of(config)) {
      float[] kept = closed.hidden(tokens);
      float[] other = open.hidden(tokens);
      assertThat(Arrays.copyOfRange(closed.hidden(changed), from, kept.length))
          .containsExactly(
              Arrays.copyOfRange(kept, from, kept.length), within(TestDevice.tolerance(1e-5)));
      assertThat(Arrays.copyOfRange(open.hidden(changed), from, kept.length))
          .isNotEqualTo(Arrays.copyOfRange(other, from, kept.length));
    }
  }

  static Stream<ModelConfig> dependences() {
    Stream<ModelConfig> all =
        Stream.of(NONE, new Alibi(), WINDOW)
            .flatMap(scheme -> recurrences().map(recurrence -> config(scheme, recurrence)));
    ModelConfig three = new ModelConfig(3, 4, 1, RandomModel.VOCABULARY, WINDOW);
    ModelConfig one = new ModelConfig(1, 4, 1, RandomModel.VOCABULARY, WINDOW);
    return Stream.concat(
        all,
        Stream.of(
            config(WINDOW, new Staircase(2, 3)),
            three.with(new BlockRecurrence(3, 2, 1)),
            three.with(new Staircase(3, 2)),
            one.with(new Staircase(3, 2))));
  }

  /** By gradients of the model, and by shifts of the reference in doubles. */
  @ParameterizedTest
  @MethodSource("dependences")
  void everyOutputDependsOnItsReceptiveFieldAndOnNothingElse(ModelConfig config) {
    try (Opened model = Opened.of(config)) {
      ReferenceDecoder reference = model.random().reference();
      for (int length = 1; length <= 12; length++) {
        int[] tokens = tokens(length);
        float[] norms = norms(model.model(), model.manager(), tokens);
        double[][] embedded_Td = reference.embed(tokens);
        double before = reference.lastNll(embedded_Td, 1);
        for (int n = 0; n < length; n++) {
          boolean isRead = n >= length - config.receptiveField(length);
          embedded_Td[n][0] += 1;
          double after = reference.lastNll(embedded_Td, 1);
          embedded_Td[n][0] -= 1;
          assertThat(after != before).as("input %d of %d", n, length).isEqualTo(isRead);
          assertThat(norms[n] != 0).as("input %d of %d", n, length).isEqualTo(isRead);
        }
      }
    }
  }

  /** The norm of the gradient of the last position's loss at each position. */
  private static float[] norms(LanguageModel model, NDManager manager, int[] tokens) {
    long[] ids = Arrays.stream(tokens).asLongStream().toArray();
    NDArray embedded_BTd = model.embed(manager.create(ids, new Shape(1, ids.length)));
    NDArray target_B = manager.create(new long[] {1});
    NDArray gradient_BTd =
        model.gradient(
            embedded_BTd,
            x_BTd -> model.withGradient().nll(x_BTd.get(new NDIndex(":, -1")), target_B).sum());
    return gradient_BTd.square().sum(new int[] {2}).sqrt().toFloatArray();
  }

  @Test
  void twoPassesReadEveryPositionAtInitialWeightsAndOnePassReadsItsChunk() {
    for (int passes : new int[] {1, 2}) {
      ModelConfig config =
          new ModelConfig(2, 16, 2, RandomModel.VOCABULARY, NONE).with(new Staircase(32, passes));
      try (NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch");
          Weights weights =
              Weights.initialise(config, new RandomStreams(SEED), TestDevice.current());
          LanguageModel model = LanguageModel.of(config, weights, Precision.FLOAT32)) {
        float[] norms = norms(model, manager, tokens(512));
        for (int n = 0; n < 512; n++) {
          assertThat(norms[n] != 0)
              .as("%d passes, position %d", passes, n)
              .isEqualTo(passes == 2 || n >= 480);
        }
      }
    }
  }
}
