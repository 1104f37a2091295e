package org.lengthwise.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.attention.Numerics;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.TestDevice;

class DecoderIT {
  private static final long SEED = Long.getLong("lengthwise.test.seed", 20231206L);
  private static final int NUM_RANDOM_MODELS = 50;

  static Stream<ModelConfig> models() {
    return DecoderForms.models();
  }

  private static int[] tokens(int count) {
    return new Random(SEED + count).ints(count, 0, RandomModel.VOCABULARY).toArray();
  }

  private static long[] range(int[] tokens, int from, int to) {
    return Arrays.stream(tokens, from, to).asLongStream().toArray();
  }

  @ParameterizedTest
  @MethodSource("models")
  void likelihoodsEqualThePlainDoubleReferenceAtEveryDepth(ModelConfig config) {
    assertLikelihoodsOfTheReference(config, SEED);
  }

  @Tag("acceptance")
  @ParameterizedTest
  @MethodSource("models")
  void likelihoodsOfManyRandomModelsEqualThePlainDoubleReference(ModelConfig config) {
    for (long seed = SEED + 1; seed <= SEED + NUM_RANDOM_MODELS; seed++) {
      assertLikelihoodsOfTheReference(config, seed);
    }
    System.out.printf(
        "%s: seeds %d to %d%n", config.position().label(), SEED + 1, SEED + NUM_RANDOM_MODELS);
  }

  private static void assertLikelihoodsOfTheReference(ModelConfig config, long seed) {
    RandomModel model = RandomModel.of(config, new Random(seed));
    try (Weights weights = model.weights(TestDevice.current());
        Decoder decoder = new Decoder(model.config(), weights, Numerics.of(Precision.FLOAT32));
        NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch")) {
      for (int count : new int[] {2, 3, 4, 5, 10, 11, 28, 29, 60}) {
        int[] tokens = tokens(count);
        NDArray tokens_BT = manager.create(range(tokens, 0, count - 1), new Shape(1, count - 1L));
        NDArray x_Nd = decoder.hidden(decoder.embed(tokens_BT)).reshape(-1, model.config().width());
        float[] found = decoder.nll(x_Nd, manager.create(range(tokens, 1, count))).toFloatArray();
        double[] expected = model.reference().nll(tokens);
        for (int i = 0; i < expected.length; i++) {
          assertThat((double) found[i])
              .as("seed %d, %d tokens, position %d", seed, count, i)
              .isEqualTo(expected[i], within((double) TestDevice.tolerance(1e-4)));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("models")
  void lastHiddenEqualsTheLastPositionOfHidden(ModelConfig config) {
    assertLastEqualsTheLastOfAll(config, Precision.FLOAT32, TestDevice.tolerance(1e-5));
  }

  @ParameterizedTest
  @MethodSource("models")
  void lastPositionAloneIsCloseToTheLastOfAllInBfloat16(ModelConfig config) {
    assertLastEqualsTheLastOfAll(config, Precision.BFLOAT16, 0.03f);
  }

  private static void assertLastEqualsTheLastOfAll(
      ModelConfig config, Precision precision, float tolerance) {
    RandomModel model = RandomModel.of(config, new Random(SEED));
    try (Weights weights = model.weights(TestDevice.current());
        Decoder decoder = new Decoder(model.config(), weights, Numerics.of(precision));
        NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch")) {
      for (int length : new int[] {1, 2, 3, 4, 9, 10, 27, 28, 59}) {
        NDArray tokens_BT =
            manager.create(range(tokens(2 * length), 0, 2 * length), new Shape(2, length));
        NDArray embedded_BTd = decoder.embed(tokens_BT);
        float[] all = decoder.hidden(embedded_BTd).get(":, -1").toFloatArray();
        assertThat(decoder.lastHidden(embedded_BTd).toFloatArray())
            .as("seed %d, T = %d", SEED, length)
            .containsExactly(all, within(tolerance));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("models")
  void gradientsOfEveryTensorMatchFiniteDifferences(ModelConfig config) {
    RandomModel model = RandomModel.of(config, new Random(SEED));
    int[] tokens = tokens(12);
    try (Weights weights = model.weights(TestDevice.current());
        Decoder decoder = new Decoder(model.config(), weights, Numerics.of(Precision.FLOAT32));
        NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch")) {
      weights.requireGradients();
      try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
        Shape shape = new Shape(1, 11);
        collector.backward(
            decoder.loss(
                manager.create(range(tokens, 0, 11), shape),
                manager.create(range(tokens, 1, 12), shape)));
      }
      for (ParameterSpec spec : weights.layout()) {
        float[] gradient = weights.get(spec.name()).getGradient().toFloatArray();
        int index = new Random(SEED).nextInt(gradient.length);
        double above = mean(model.reference(spec.name(), index, 1e-5).nll(tokens));
        double below = mean(model.reference(spec.name(), index, -1e-5).nll(tokens));
        assertThat((double) gradient[index])
            .as("seed %d, %s[%d]", SEED, spec.name(), index)
            .isEqualTo((above - below) / 2e-5, within((double) TestDevice.tolerance(2e-4)));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("models")
  void aResidualStreamInBfloat16HasTheLossAndGradientsOfFloat32(ModelConfig config) {
    double[] expected = lossAndGradients(config, Numerics.of(Precision.FLOAT32));
    Numerics narrow = new Numerics(Precision.BFLOAT16, Precision.BFLOAT16, false);
    double[] found = lossAndGradients(config, narrow);
    assertThat(found[0]).isCloseTo(expected[0], withinPercentage(2)).isNotEqualTo(expected[0]);
    double squares = 0;
    double differences = 0;
    for (int i = 1; i < expected.length; i++) {
      squares += expected[i] * expected[i];
      differences += Math.pow(found[i] - expected[i], 2);
    }
    assertThat(Math.sqrt(differences / squares)).as("seed %d", SEED).isLessThan(0.1);
  }

  private static double[] lossAndGradients(ModelConfig config, Numerics numerics) {
    RandomModel model = RandomModel.of(config, new Random(SEED));
    int[] tokens = tokens(2 * 31);
    List<float[]> values = new ArrayList<>();
    try (Weights weights = model.weights(TestDevice.current());
        Decoder decoder = new Decoder(model.config(), weights, numerics);
        NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch")) {
      weights.requireGradients();
      try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
        Shape shape = new Shape(2, 30);
        NDArray loss =
            decoder.loss(
                manager.create(range(tokens, 0, 60), shape),
                manager.create(range(tokens, 1, 61), shape));
        collector.backward(loss);
        values.add(loss.toFloatArray());
      }
      for (ParameterSpec spec : weights.layout()) {
        values.add(weights.get(spec.name()).getGradient().toFloatArray());
      }
    }
    return values.stream()
        .flatMapToDouble(part -> IntStream.range(0, part.length).mapToDouble(i -> part[i]))
        .toArray();
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  @Test
  void sequencesOfABatchAreIndependent() {
    RandomModel model = RandomModel.of(new Alibi(), new Random(SEED));
    try (Weights weights = model.weights(TestDevice.current());
        Decoder decoder = new Decoder(model.config(), weights, Numerics.of(Precision.FLOAT32));
        NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch")) {
      long[] both = range(tokens(20), 0, 20);
      float[] together =
          decoder.hidden(decoder.embed(manager.create(both, new Shape(2, 10)))).toFloatArray();
      NDArray second = manager.create(Arrays.copyOfRange(both, 10, 20), new Shape(1, 10));
      float[] alone = decoder.hidden(decoder.embed(second)).toFloatArray();
      assertThat(Arrays.copyOfRange(together, alone.length, 2 * alone.length))
          .containsExactly(alone, within(TestDevice.tolerance(1e-5)));
    }
  }

  @Test
  void forwardAndBackwardPassLeakNoTensors() {
    for (ModelConfig config : DecoderForms.models().toList()) {
      RandomModel model = RandomModel.of(config, new Random(SEED));
      try (Weights weights = model.weights(TestDevice.current());
          Decoder decoder = new Decoder(model.config(), weights, Numerics.of(Precision.FLOAT32))) {
        weights.requireGradients();
        NDManager owner = weights.get("transformer.wte.weight").getManager();
        int before = owner.getManagedArrays().size();
        for (int step = 0; step < 3; step++) {
          try (NDManager pass = NDManager.newBaseManager(TestDevice.current(), "PyTorch");
              GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
            NDArray tokens_BT = pass.create(range(tokens(10), 0, 10), new Shape(1, 10));
            collector.backward(decoder.loss(tokens_BT, tokens_BT));
          }
        }
        assertThat(owner.getManagedArrays()).as(config.toString()).hasSize(before);
      }
    }
  }
}
