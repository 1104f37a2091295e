package org.lengthwise.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lengthwise.model.RecurrentModels.SEED;
import static org.lengthwise.model.RecurrentModels.config;
import static org.lengthwise.model.RecurrentModels.floats;
import static org.lengthwise.model.RecurrentModels.recurrences;
import static org.lengthwise.model.RecurrentModels.tokens;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.model.RecurrentModels.Opened;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.TestDevice;

/**
 * Recurrent models against their reference, and against themselves in other precisions and pieces.
 */
class RecurrenceIT {
  @ParameterizedTest
  @MethodSource("org.lengthwise.model.RecurrentModels#models")
  void likelihoodsEqualThePlainDoubleReference(PositionalScheme scheme, Recurrence recurrence) {
    try (Opened model = Opened.of(config(scheme, recurrence))) {
      for (int count : new int[] {2, 3, 4, 5, 7, 8, 29}) {
        int[] tokens = tokens(count);
        assertThat(model.nll(tokens))
            .as("seed %d, %d tokens", SEED, count)
            .containsExactly(
                floats(model.random().reference().nll(tokens)), within(TestDevice.tolerance(1e-4)));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("org.lengthwise.model.RecurrentModels#models")
  void lastHiddenEqualsTheLastPositionOfHidden(PositionalScheme scheme, Recurrence recurrence) {
    ModelConfig config = config(scheme, recurrence);
    try (Opened model = Opened.of(config)) {
      for (int length : new int[] {1, 2, 3, 4, 5, 11, 14}) {
        float[] all = model.hidden(tokens(length));
        assertThat(model.model().lastHidden(model.embed(tokens(length))).toFloatArray())
            .as("seed %d, T = %d", SEED, length)
            .containsExactly(
                Arrays.copyOfRange(all, all.length - config.width(), all.length),
                within(TestDevice.tolerance(1e-5)));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("org.lengthwise.model.RecurrentModels#recurrences")
  void bfloat16IsCloseToFloat32(Recurrence recurrence) {
    try (Opened exact = Opened.of(config(new Alibi(), recurrence));
        Opened model = Opened.of(config(new Alibi(), recurrence), Precision.BFLOAT16)) {
      int[] tokens = tokens(20);
      assertThat(model.nll(tokens))
          .containsExactly(exact.nll(tokens), within(0.03f))
          .isNotEqualTo(exact.nll(tokens));
    }
  }

  @ParameterizedTest
  @MethodSource("org.lengthwise.model.RecurrentModels#models")
  void gradientsOfEveryTensorMatchFiniteDifferences(
      PositionalScheme scheme, Recurrence recurrence) {
    int[] tokens = tokens(12);
    try (Opened opened = Opened.of(config(scheme, recurrence))) {
      opened.weights().requireGradients();
      try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
        collector.backward(
            opened
                .model()
                .loss(
                    opened.ids(Arrays.copyOf(tokens, 11)),
                    opened.ids(Arrays.copyOfRange(tokens, 1, 12))));
      }
      for (ParameterSpec spec : opened.weights().layout()) {
        float[] gradient = opened.weights().get(spec.name()).getGradient().toFloatArray();
        int index = largest(gradient);
        double above = mean(opened.random().reference(spec.name(), index, 1e-5).nll(tokens));
        double below = mean(opened.random().reference(spec.name(), index, -1e-5).nll(tokens));
        double expected = (above - below) / 2e-5;
        assertThat((double) gradient[index])
            .as("seed %d, %s[%d]", SEED, spec.name(), index)
            .isEqualTo(expected, within(TestDevice.tolerance(1e-6) + 2e-3 * Math.abs(expected)));
      }
    }
  }

  private static int largest(float[] values) {
    return IntStream.range(0, values.length)
        .boxed()
        .max(Comparator.comparingDouble(i -> Math.abs(values[i])))
        .orElseThrow();
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("org.lengthwise.model.RecurrentModels#models")
  void theGradientAtEmbeddingsEqualsThatOfTheWholeGraph(
      PositionalScheme scheme, Recurrence recurrence) {
    for (int length : new int[] {1, 4, 13}) {
      try (Opened opened = Opened.of(config(scheme, recurrence))) {
        NDArray embedded_BTd = opened.model().withGradient().embed(opened.ids(tokens(length)));
        float[] found = opened.model().gradient(embedded_BTd, RecurrenceIT::scalar).toFloatArray();
        embedded_BTd.setRequiresGradient(true);
        try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
          collector.backward(scalar(opened.model().withGradient().hidden(embedded_BTd)));
        }
        assertThat(found)
            .as("T = %d", length)
            .containsExactly(
                embedded_BTd.getGradient().toFloatArray(), within(TestDevice.tolerance(1e-4)));
      }
    }
  }

  /** A scalar to which every hidden state contributes differently. */
  private static NDArray scalar(NDArray x_BTd) {
    NDArray factors =
        x_BTd.getManager().arange((float) x_BTd.size()).reshape(x_BTd.getShape()).mul(0.37f).sin();
    return x_BTd.mul(factors).sum();
  }

  @ParameterizedTest
  @MethodSource("org.lengthwise.model.RecurrentModels#models")
  void aTextOfPiecesEqualsOnePass(PositionalScheme scheme, Recurrence recurrence) {
    int[] tokens = tokens(38);
    ModelConfig config = config(scheme, recurrence);
    try (Opened model = Opened.of(config);
        TextState text = model.model().begin(model.manager(), 40)) {
      float[] all = model.hidden(tokens);
      int end = 0;
      for (int length : List.of(1, 1, 5, 1, 12, 1, 1, 1, 3, 4, 8)) {
        int[] piece = Arrays.copyOfRange(tokens, end, end + length);
        boolean isOdd = length % 2 == 1;
        float[] found = (isOdd ? text.appendAll(piece) : text.append(piece)).toFloatArray();
        end += length;
        int width = config.width();
        float[] expected =
            Arrays.copyOfRange(all, (isOdd ? end - length : end - 1) * width, end * width);
        assertThat(found)
            .as("%d tokens", end)
            .containsExactly(expected, within(TestDevice.tolerance(1e-4)));
      }
      assertThat(end).isEqualTo(38);
    }
  }

  @Test
  void passesLeakNoTensors() {
    for (Recurrence recurrence : recurrences().toList()) {
      try (Opened opened = Opened.of(config(new Alibi(), recurrence))) {
        opened.weights().requireGradients();
        NDManager owner = opened.weights().get("transformer.wte.weight").getManager();
        int before = owner.getManagedArrays().size();
        try (NDManager pass = NDManager.newBaseManager(TestDevice.current(), "PyTorch");
            GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
          NDArray ids_BT = pass.create(new long[10], new Shape(1, 10));
          collector.backward(opened.model().loss(ids_BT, ids_BT));
          assertThat(pass.getManagedArrays()).as(recurrence.label()).hasSize(4); // as a decoder's
        }
        assertThat(owner.getManagedArrays()).as(recurrence.label()).hasSize(before);
        int own = opened.manager().getManagedArrays().size();
        try (TextState text = opened.model().begin(opened.manager(), 40)) {
          for (int token : tokens(20)) {
            text.append(new int[] {token}).close();
          }
        }
        assertThat(opened.manager().getManagedArrays()).as(recurrence.label()).hasSize(own);
      }
    }
  }
}
