package org.lengthwise.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.RegularGpt.Edge;
import org.lengthwise.positional.Schemes;
import org.lengthwise.positional.SlidingWindow;
import org.lengthwise.positional.TransformerXl;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.random.RandomStreams;

/** Classifiers of strings: the tree, sliding attention at all positions, and plain doubles. */
class ClassifierIT {
  private static final long SEED = Long.getLong("lengthwise.test.seed", 20231206L);
  private static final int LONGEST = 130;

  /** RegularGPT with both edges, pre-norm and post-norm. */
  static List<ModelConfig> regularGpts() {
    return Stream.of(
            StringModels.small(1, new RegularGpt(2, Edge.PAD), StringModels.PAPER),
            StringModels.small(1, new RegularGpt(3, Edge.PAD), StringModels.PAPER),
            StringModels.small(2, new RegularGpt(2, Edge.PAD), StringModels.PAPER),
            StringModels.small(2, new RegularGpt(3, Edge.PAD), DecoderForm.GPT2),
            StringModels.small(1, new RegularGpt(3, Edge.ABSENT), StringModels.PAPER),
            StringModels.small(2, new RegularGpt(2, Edge.PAD, 3, true), StringModels.PAPER),
            StringModels.small(6, new RegularGpt(2, Edge.PAD, 3, false), StringModels.PAPER),
            StringModels.small(2, new RegularGpt(3, Edge.ABSENT, 2, false), DecoderForm.GPT2))
        .toList();
  }

  /** Every scheme in the form of the paper. */
  static List<ModelConfig> schemes() {
    return Schemes.trainable().stream()
        .map(scheme -> StringModels.small(2, scheme, StringModels.PAPER))
        .toList();
  }

  /** The schemes whose queries may see later keys. */
  static List<ModelConfig> bothDirections() {
    return Schemes.trainable().stream()
        .filter(scheme -> scheme.reach().hasLaterKeys())
        .map(scheme -> StringModels.small(2, scheme, StringModels.BOTH_DIRECTIONS))
        .toList();
  }

  /** Both recurrences in the form of GPT-2. */
  static List<ModelConfig> recurrences() {
    ModelConfig plain =
        StringModels.small(2, new SlidingWindow(3, SlidingWindow.Within.NONE), DecoderForm.GPT2);
    return Stream.of(
            new Staircase(1, 2),
            new Staircase(4, 3),
            new BlockRecurrence(1, 1, 0),
            new BlockRecurrence(3, 2, 1))
        .map(plain::with)
        .toList();
  }

  private static int[] string(int length) {
    return new Random(SEED + length).ints(length, 0, 3).toArray();
  }

  /** A model with random weights on the CPU, and the manager of its inputs. */
  private record Open(RandomModel random, Weights weights, LanguageModel model, NDManager manager)
      implements AutoCloseable {

    static Open of(ModelConfig config) {
      RandomModel random = RandomModel.of(config, new Random(SEED));
      Weights weights = random.weights();
      return new Open(
          random,
          weights,
          LanguageModel.of(config, weights, Precision.FLOAT32),
          NDManager.newBaseManager(Device.cpu(), "PyTorch"));
    }

    NDArray embedded(int[] ids) {
      return model.embed(ids(ids));
    }

    private NDArray ids(int[] ids) {
      long[] tokens = Arrays.stream(ids).asLongStream().toArray();
      return manager.create(tokens, new Shape(1, ids.length));
    }

    float[] last(int[] ids) {
      return model.lastHidden(embedded(ids)).toFloatArray();
    }

    float[] lastOfAll(int[] ids) {
      return model.hidden(embedded(ids)).get(":, -1").toFloatArray();
    }

    float[] logits(int[] ids) {
      return model.logits(model.lastHidden(embedded(ids))).toFloatArray();
    }

    /** The gradients of the string's loss, by tensor. */
    Map<String, float[]> gradients(int[] ids, Function<NDArray, NDArray> lastHidden) {
      weights.requireGradients();
      try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
        NDArray x_1d = lastHidden.apply(model.withGradient().embed(ids(ids)));
        collector.backward(model.withGradient().nll(x_1d, manager.create(new long[] {1})).sum());
      }
      Map<String, float[]> gradients = new LinkedHashMap<>();
      weights
          .tensors()
          .forEach((name, tensor) -> gradients.put(name, tensor.getGradient().toFloatArray()));
      return gradients;
    }

    @Override
    public void close() {
      manager.close();
      model.close();
      weights.close();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "256, 2, 2, 790034",
    "256, 3, 5, 791061",
    "256, 8, 5, 792341",
    "64, 2, 2, 50066",
    "64, 3, 5, 50325",
    "64, 8, 5, 50645"
  })
  void modelOfThePaperHasItsNumberOfParameters(int d, int vocabulary, int labels, int expected) {
    RegularGpt scheme = new RegularGpt(2, Edge.PAD);
    assertThat(
            new ModelConfig(1, d, 8, vocabulary, scheme, StringModels.PAPER, labels)
                .numParameters())
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"256, 4274946", "64, 270018"})
  void transformerOfThePaperHasItsNumberOfParameters(int d, int expected) {
    assertThat(
            new ModelConfig(5, d, 8, 2, new TransformerXl(), StringModels.BOTH_DIRECTIONS, 2)
                .numParameters())
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("regularGpts")
  void treeEqualsTheLastPositionOfSlidingAttentionAtEveryLength(ModelConfig config) {
    try (Open open = Open.of(config)) {
      for (int length = 1; length <= LONGEST; length++) {
        assertThat(open.last(string(length)))
            .as("seed %d, T = %d", SEED, length)
            .containsExactly(open.lastOfAll(string(length)), within(1e-5f));
      }
    }
  }

  @ParameterizedTest
  @MethodSource({"regularGpts", "schemes", "bothDirections", "recurrences"})
  void likelihoodsOfLabelsEqualThePlainDoubleReference(ModelConfig config) {
    try (Open open = Open.of(config)) {
      for (int length : new int[] {1, 2, 3, 4, 5, 9, 17, 28}) {
        int[] ids = string(length);
        NDArray x_1d = open.model().lastHidden(open.embedded(ids));
        NDArray label = open.manager().create(new long[] {1});
        ReferenceDecoder reference = open.random().reference();
        assertThat((double) open.model().nll(x_1d, label).toFloatArray()[0])
            .as("seed %d, T = %d", SEED, length)
            .isCloseTo(reference.lastNll(reference.embed(ids), 1), within(1e-4));
      }
    }
  }

  @ParameterizedTest
  @MethodSource({"regularGpts", "schemes", "bothDirections", "recurrences"})
  void gradientsOfTheLastPositionEqualThoseThroughAllPositions(ModelConfig config) {
    int[] ids = string(11);
    try (Open one = Open.of(config);
        Open other = Open.of(config)) {
      Map<String, float[]> all =
          one.gradients(ids, x_1Td -> one.model().withGradient().hidden(x_1Td).get(":, -1"));
      Map<String, float[]> last =
          other.gradients(ids, x_1Td -> other.model().withGradient().lastHidden(x_1Td));
      all.forEach(
          (name, gradient) ->
              assertThat(last.get(name)).as(name).containsExactly(gradient, within(1e-4f)));
    }
  }

  @Test
  void withoutAPadAConstantStringHasOneAnswerForEachNumberOfLevels() {
    int[] three = IntStream.generate(() -> 1).limit(3).toArray();
    int[] four = IntStream.generate(() -> 1).limit(4).toArray();
    for (Edge edge : Edge.values()) {
      PositionalScheme scheme = new RegularGpt(2, edge);
      try (Open open = Open.of(StringModels.small(1, scheme, StringModels.PAPER))) {
        float difference = Math.abs(open.logits(three)[0] - open.logits(four)[0]);
        if (edge == Edge.ABSENT) {
          assertThat(difference).isLessThan(1e-6f);
        } else {
          assertThat(difference).as("seed %d", SEED).isGreaterThan(1e-3f);
        }
      }
    }
  }

  @Test
  void initialValuesAreTruncatedAtTwoDeviations() {
    ModelConfig config =
        new ModelConfig(1, 64, 8, 2, new RegularGpt(2, Edge.PAD), StringModels.PAPER, 2);
    try (Weights weights = Weights.initialise(config, new RandomStreams(SEED), Device.cpu())) {
      float[] down = weights.get("transformer.h.0.mlp.c_proj.weight").toFloatArray();
      double sigma = 1 / Math.sqrt(4 * 64);
      double largest = 0;
      double squares = 0;
      for (float value : down) {
        largest = Math.max(largest, Math.abs(value));
        squares += value * value / down.length;
      }
      assertThat(largest).isBetween(1.9 * sigma, 2 * sigma);
      assertThat(Math.sqrt(squares)).isCloseTo(0.88 * sigma, within(0.02 * sigma));
    }
  }
}
