package org.lengthwise.model;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lengthwise.positional.NoPosition;
import org.lengthwise.positional.attention.Precision;

/** The recurrent networks against plain doubles. */
class RnnIT {
  private static final long SEED = Long.getLong("lengthwise.test.seed", 20231206L);

  private static ModelConfig small(ModelConfig.Kind kind) {
    return network(kind, 12, 3, 2);
  }

  private static ModelConfig network(ModelConfig.Kind kind, int units, int vocabulary, int labels) {
    return new ModelConfig(
        1,
        units,
        1,
        vocabulary,
        new NoPosition(),
        Recurrence.none(),
        StringModels.PAPER,
        labels,
        kind);
  }

  private static int[] string(int length) {
    return new Random(SEED + length).ints(length, 0, 3).toArray();
  }

  private static NDArray tokens(NDManager manager, int[] string) {
    return manager.create(
        Arrays.stream(string).asLongStream().toArray(), new Shape(1, string.length));
  }

  private static ReferenceRnn reference(RandomModel model, String tensor, int index, double shift) {
    Map<String, double[]> values = new LinkedHashMap<>();
    model
        .floats()
        .forEach(
            (name, floats) -> {
              double[] numbers = new double[floats.length];
              Arrays.setAll(
                  numbers, i -> floats[i] + (name.equals(tensor) && i == index ? shift : 0));
              values.put(name, numbers);
            });
    return new ReferenceRnn(model.config(), values);
  }

  @Test
  void networkOfThePaperHasItsNumberOfParameters() {
    assertThat(network(ModelConfig.Kind.RNN, 256, 2, 2).numParameters()).isEqualTo(67_074);
    assertThat(network(ModelConfig.Kind.LSTM, 256, 2, 2).numParameters()).isEqualTo(266_754);
  }

  @ParameterizedTest
  @EnumSource(names = {"RNN", "LSTM"})
  void likelihoodsOfLabelsEqualThePlainDoubleReference(ModelConfig.Kind kind) {
    RandomModel random = RandomModel.of(small(kind), new Random(SEED));
    ReferenceRnn reference = reference(random, "", 0, 0);
    try (Weights weights = random.weights();
        LanguageModel model = LanguageModel.of(random.config(), weights, Precision.FLOAT32);
        NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch")) {
      for (int length : new int[] {1, 2, 3, 17, 40}) {
        int[] string = string(length);
        NDArray embedded_1Td = model.embed(tokens(manager, string));
        NDArray x_1d = model.lastHidden(embedded_1Td);
        assertThat(x_1d.toFloatArray())
            .isEqualTo(model.hidden(embedded_1Td).get(":, -1").toFloatArray());
        float nll = model.nll(x_1d, manager.create(new long[] {1})).toFloatArray()[0];
        assertThat((double) nll)
            .as("seed %d, T = %d", SEED, length)
            .isCloseTo(reference.nll(string, 1), within(1e-4));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RNN", "LSTM"})
  void gradientsOfEveryTensorMatchFiniteDifferences(ModelConfig.Kind kind) {
    RandomModel random = RandomModel.of(small(kind), new Random(SEED));
    int[] string = string(9);
    try (Weights weights = random.weights();
        LanguageModel model = LanguageModel.of(random.config(), weights, Precision.FLOAT32);
        NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch")) {
      weights.requireGradients();
      try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
        LanguageModel graphs = model.withGradient();
        NDArray x_1d = graphs.lastHidden(graphs.embed(tokens(manager, string)));
        collector.backward(graphs.nll(x_1d, manager.create(new long[] {1})).sum());
      }
      for (String name : weights.tensors().keySet()) {
        float[] gradient = weights.get(name).getGradient().toFloatArray();
        assertThat(requireNonNull(random.floats().get(name))).hasSameSizeAs(gradient);
        for (int i = 0; i < gradient.length; i += 5) {
          double above = reference(random, name, i, 1e-5).nll(string, 1);
          double below = reference(random, name, i, -1e-5).nll(string, 1);
          assertThat((double) gradient[i])
              .as("seed %d, %s[%d]", SEED, name, i)
              .isCloseTo((above - below) / 2e-5, within(2e-4));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"RNN", "LSTM"})
  void gradientOfEmbeddingsEqualsThatOfTheGraph(ModelConfig.Kind kind) {
    RandomModel random = RandomModel.of(small(kind), new Random(SEED));
    try (Weights weights = random.weights();
        LanguageModel model = LanguageModel.of(random.config(), weights, Precision.FLOAT32);
        NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch")) {
      NDArray x_1Td = model.embed(tokens(manager, string(7)));
      float[] found = model.gradient(x_1Td, h_1Td -> h_1Td.get(":, -1").sum()).toFloatArray();
      NDArray leaf_1Td = x_1Td.duplicate();
      leaf_1Td.setRequiresGradient(true);
      try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
        collector.backward(model.withGradient().lastHidden(leaf_1Td).sum());
      }
      assertThat(found).isEqualTo(leaf_1Td.getGradient().toFloatArray());
      assertThat(found).isNotEqualTo(new float[found.length]);
    }
  }

  @Test
  void networkPredictsNoTokens() {
    assertThatThrownBy(() -> network(ModelConfig.Kind.RNN, 8, 2, 0))
        .hasMessageContaining("at least 1 for an rnn");
  }
}
