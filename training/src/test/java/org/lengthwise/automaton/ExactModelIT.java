package org.lengthwise.automaton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.error.ConfigException;
import org.lengthwise.model.DecoderForm;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.Weights;
import org.lengthwise.positional.RegularGpt;
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
        automata.add(Arguments.of(task.label(), task.automaton(), 2));
      }
    }
    automata.add(Arguments.of("random", random(), 2));
    automata.add(Arguments.of("parity", PaperTask.PARITY_CHECK.automaton(), 3));
    automata.add(Arguments.of("cycle", PaperTask.CYCLE_NAVIGATION.automaton(), 3));
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
  void noStringOfAnyLengthHasAWrongLabel(String name, Automaton automaton, int chunk)
      throws IOException {
    requireLabels(automaton, chunk, 1, 2, 3, 4, 5, 17, 40, 127, 500);
  }

  @Tag("acceptance")
  @ParameterizedTest(name = "{0}, C = {2}")
  @MethodSource("automata")
  void noLongStringHasAWrongLabel(String name, Automaton automaton, int chunk) throws IOException {
    requireLabels(automaton, chunk, chunk == 2 ? 4096 : 1023);
  }

  private static void requireLabels(Automaton automaton, int chunk, int... lengths)
      throws IOException {
    ExactModel exact = new ExactModel(automaton, chunk, 256, 8);
    Random random = new Random(SEED);
    try (NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch");
        Weights weights =
            Weights.of(
                exact.config(), tensor -> FloatBuffer.wrap(exact.tensor(tensor)), Device.cpu());
        LanguageModel model = LanguageModel.of(exact.config(), weights, Precision.FLOAT32)) {
      for (int length : lengths) {
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

  static Stream<Arguments> automataOfFewStates() {
    return Stream.of(
        Arguments.of("parity", PaperTask.PARITY_CHECK.automaton()),
        Arguments.of("cycle", PaperTask.CYCLE_NAVIGATION.automaton()),
        Arguments.of("random", random()));
  }

  /**
   * The decoder of language models, whose queries have fewer keys near the start. A begin token
   * leads from every state to state 0, so its map stays the same after any map, also its own.
   */
  @ParameterizedTest(name = "{0}")
  @MethodSource("automataOfFewStates")
  void decoderOfLanguageModelsWithABeginTokenHasNoWrongLabel(String name, Automaton automaton)
      throws IOException {
    requireLabelsAfterABeginToken(automaton, 1, 2, 3, 4, 5, 17, 40, 127, 130);
  }

  @Tag("acceptance")
  @ParameterizedTest(name = "{0}")
  @MethodSource("automataOfFewStates")
  void decoderOfLanguageModelsHasNoWrongLabelForALongString(String name, Automaton automaton)
      throws IOException {
    requireLabelsAfterABeginToken(automaton, 500);
  }

  private static void requireLabelsAfterABeginToken(Automaton automaton, int... lengths)
      throws IOException {
    ExactModel exact = new ExactModel(automaton, 2, 256, 8);
    ModelConfig config =
        new ModelConfig(
            1,
            exact.width(),
            exact.heads(),
            automaton.numSymbols() + 1,
            new RegularGpt(2, RegularGpt.Edge.ABSENT),
            DecoderForm.GPT2,
            automaton.numLabels());
    Random random = new Random(SEED);
    try (NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch");
        Weights weights =
            Weights.of(config, tensor -> FloatBuffer.wrap(ofGpt2(exact, tensor)), Device.cpu());
        LanguageModel model = LanguageModel.of(config, weights, Precision.FLOAT32)) {
      for (int length : lengths) {
        long[] tokens = new long[STRINGS * (length + 1)];
        long[] expected = new long[STRINGS];
        for (int b = 0; b < STRINGS; b++) {
          int[] ids = random.ints(length, 0, automaton.numSymbols()).toArray();
          expected[b] = automaton.label(ids);
          tokens[b * (length + 1)] = automaton.numSymbols();
          for (int t = 0; t < length; t++) {
            tokens[b * (length + 1) + t + 1] = ids[t];
          }
        }
        try (NDManager pass = manager.newSubManager()) {
          NDArray tokens_BT = pass.create(tokens, new Shape(STRINGS, length + 1));
          assertThat(StringClassification.labels(model, tokens_BT).toLongArray())
              .as("seed %d, T = %d", SEED, length)
              .containsExactly(expected);
          NDArray all_BTd = model.hidden(model.embed(tokens_BT));
          assertThat(model.logits(all_BTd.get(":, -1")).argMax(1).toLongArray())
              .as("all positions, seed %d, T = %d", SEED, length)
              .containsExactly(expected);
        }
      }
    }
  }

  /**
   * A tensor in the form of GPT-2: LayerNorm before the sums, GELU, embeddings without a factor,
   * and a row for the begin token. GELU(8 z) / 8 is max(0, z) for whole numbers z.
   */
  private static float[] ofGpt2(ExactModel exact, String tensor) {
    int d = exact.width();
    return switch (tensor) {
      case "transformer.wte.weight" -> {
        float[] symbols_Vd = scaled(exact.tensor(tensor), (float) Math.sqrt(d));
        float[] wte = Arrays.copyOf(symbols_Vd, symbols_Vd.length + d);
        for (int state = 0; state < exact.automaton().numStates(); state++) {
          wte[symbols_Vd.length + state * exact.automaton().numStates()] = 1;
        }
        yield wte;
      }
      case "transformer.h.0.ln_1.weight", "transformer.ln_f.weight" ->
          exact.tensor("transformer.h.0.ln_2.weight");
      case "transformer.h.0.ln_1.bias", "transformer.ln_f.bias" ->
          exact.tensor("transformer.h.0.ln_2.bias");
      case "transformer.h.0.ln_2.weight" -> exact.tensor("transformer.h.0.ln_1.weight");
      case "transformer.h.0.ln_2.bias" -> exact.tensor("transformer.h.0.ln_1.bias");
      case "transformer.h.0.attn.c_attn.bias" -> new float[3 * d];
      case "transformer.h.0.attn.c_proj.bias" -> new float[d];
      case "transformer.h.0.mlp.c_fc.weight", "transformer.h.0.mlp.c_fc.bias" ->
          scaled(exact.tensor(tensor), 8);
      case "transformer.h.0.mlp.c_proj.weight" -> scaled(exact.tensor(tensor), 1 / 8f);
      default -> exact.tensor(tensor);
    };
  }

  private static float[] scaled(float[] values, float factor) {
    float[] scaled = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      scaled[i] = values[i] * factor;
    }
    return scaled;
  }

  @Test
  void automatonThatDoesNotFitIsRejectedWithTheNeededSizes() {
    assertThatThrownBy(() -> new ExactModel(PaperTask.D_12.automaton(), 2, 256, 8))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("for 14 states and chunks of 2: a width of at least 392")
        .hasMessageContaining("and of 784 for the hidden units");
  }
}
