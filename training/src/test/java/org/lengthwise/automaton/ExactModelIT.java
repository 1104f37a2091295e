package org.lengthwise.automaton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.error.ConfigException;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.Weights;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.task.Samples;
import org.lengthwise.task.StringClassification;

/** Models with computed weights against their automata, on random strings. */
class ExactModelIT {
  private static final long SEED = Long.getLong("lengthwise.test.seed", 20231206L);
  private static final int STRINGS = 16;

  static Stream<Arguments> automata() {
    List<Arguments> automata = new ArrayList<>();
    for (PaperTask task : PaperTask.values()) {
      if (task != PaperTask.MODULAR_ARITHMETIC && task != PaperTask.D_12) {
        automata.add(Arguments.of(task.label(), task.automaton(), 2, 4096));
      }
    }
    automata.add(Arguments.of("random", random(), 2, 4096));
    automata.add(Arguments.of("parity", PaperTask.PARITY_CHECK.automaton(), 3, 1023));
    automata.add(Arguments.of("cycle", PaperTask.CYCLE_NAVIGATION.automaton(), 3, 1023));
    return automata.stream();
  }

  /** Five states, three symbols, and a label for each state. */
  private static Automaton random() {
    Random random = new Random(SEED);
    List<List<Integer>> transitions = new ArrayList<>();
    for (int state = 0; state < 5; state++) {
      transitions.add(List.of(random.nextInt(5), random.nextInt(5), random.nextInt(5)));
    }
    List<Integer> labels = new ArrayList<>(List.of(0, 1, 2, 3, 4));
    Collections.shuffle(labels, random);
    return new Automaton(List.of("x", "y", "z"), transitions, labels);
  }

  @ParameterizedTest(name = "{0}, C = {2}")
  @MethodSource("automata")
  void noStringOfAnyLengthHasAWrongLabel(String name, Automaton automaton, int chunk, int longest)
      throws IOException {
    ExactModel exact = new ExactModel(automaton, chunk, 256, 8);
    Random random = new Random(SEED);
    try (NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch");
        Weights weights =
            Weights.of(
                exact.config(), tensor -> FloatBuffer.wrap(exact.tensor(tensor)), Device.cpu());
        LanguageModel model = LanguageModel.of(exact.config(), weights, Precision.FLOAT32)) {
      for (int length : new int[] {1, 2, 3, 4, 5, 17, 40, 127, 500, longest}) {
        List<int[]> strings =
            IntStream.range(0, STRINGS)
                .mapToObj(i -> random.ints(length, 0, automaton.numSymbols()).toArray())
                .toList();
        try (NDManager pass = manager.newSubManager()) {
          Samples samples = Samples.labelled(strings, automaton);
          NDArray found = StringClassification.labels(model, samples.on(pass).tokens_BT());
          assertThat(found.toLongArray())
              .as("seed %d, T = %d", SEED, length)
              .containsExactly(samples.targets());
        }
      }
    }
  }

  @Test
  void automatonThatDoesNotFitIsRejectedWithTheNeededSizes() {
    assertThatThrownBy(() -> new ExactModel(PaperTask.D_12.automaton(), 2, 256, 8))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("for 14 states and chunks of 2: a width of at least 392")
        .hasMessageContaining("and of 784 for the hidden units");
  }
}
