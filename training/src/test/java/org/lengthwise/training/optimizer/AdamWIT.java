package org.lengthwise.training.optimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.training.GradientCollector;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.ParameterSpec;
import org.lengthwise.model.Weights;
import org.lengthwise.positional.KerplePower;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.training.config.OptimizerConfig;

class AdamWIT {
  private static final long SEED = Long.getLong("lengthwise.test.seed", 20231206L);
  private static final OptimizerConfig CONFIG =
      new OptimizerConfig(0.1, 8, 0.9, 0.95, 1e-8, 0.1, 5, 0, 0.1);

  private static List<PositionalScheme> schemes() {
    return List.of(new KerplePower(), new RegularGpt(3));
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void updatesEqualThePlainDoubleReferenceInAllGroups(PositionalScheme scheme) {
    ModelConfig model = new ModelConfig(1, 8, 2, 5, scheme);
    Random random = new Random(SEED);
    try (Weights weights = Weights.initialise(model, new RandomStreams(1), Device.cpu());
        AdamW optimizer = new AdamW(CONFIG, weights);
        NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch")) {
      weights.requireGradients();
      Map<String, double[]> expected = new LinkedHashMap<>();
      Map<String, ReferenceAdamW> references = new LinkedHashMap<>();
      for (ParameterSpec spec : weights.layout()) {
        expected.put(spec.name(), doubles(weights.get(spec.name()).toFloatArray()));
        references.put(spec.name(), new ReferenceAdamW(CONFIG, spec));
      }
      for (int step = 1; step <= 20; step++) {
        Map<String, double[]> gradients = setGradients(weights, random, manager);
        double norm = norm(gradients);
        assertThat((double) optimizer.clip().getFloat()).isEqualTo(norm, within(1e-4));
        optimizer.update(step, 0.05);
        double factor = ReferenceAdamW.clipFactor(norm, CONFIG.clipNorm());
        for (ParameterSpec spec : weights.layout()) {
          double[] values = Objects.requireNonNull(expected.get(spec.name()));
          double[] gradient = Objects.requireNonNull(gradients.get(spec.name()));
          for (int i = 0; i < gradient.length; i++) {
            gradient[i] *= factor;
          }
          Objects.requireNonNull(references.get(spec.name())).update(values, gradient, 0.05);
          for (int i = 0; i < values.length; i++) {
            values[i] = spec.bounds().clamp(values[i]);
          }
          assertThat(doubles(weights.get(spec.name()).toFloatArray()))
              .as("seed %d, step %d, %s", SEED, step, spec.name())
              .containsExactly(values, within(1e-4));
        }
      }
      for (ParameterSpec spec : weights.layout()) {
        for (float value : weights.get(spec.name()).toFloatArray()) {
          assertThat((double) value)
              .as("%s stays inside its bounds", spec.name())
              .isBetween((double) (float) spec.bounds().low(), spec.bounds().high());
        }
      }
    }
  }

  /** Adam's first step moves a number by the learning rate, whatever its gradient is. */
  @Test
  void firstStepMovesATableThatStartsFlatEightTimesAsFar() {
    ModelConfig model = new ModelConfig(1, 8, 2, 5, new RegularGpt(3));
    try (Weights weights = Weights.initialise(model, new RandomStreams(1), Device.cpu());
        AdamW optimizer = new AdamW(CONFIG, weights);
        NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch")) {
      weights.requireGradients();
      float[] r = weights.get("transformer.h.0.attn.r").toFloatArray();
      float[] bias = weights.get("transformer.h.0.ln_1.bias").toFloatArray();
      setGradients(weights, new Random(SEED), manager);
      optimizer.update(1, 0.05);
      assertMoved(r, weights.get("transformer.h.0.attn.r").toFloatArray(), 0.4f);
      assertMoved(bias, weights.get("transformer.h.0.ln_1.bias").toFloatArray(), 0.05f);
    }
  }

  private static void assertMoved(float[] before, float[] after, float distance) {
    assertThat(after).hasSameSizeAs(before);
    for (int i = 0; i < after.length; i++) {
      assertThat(Math.abs(after[i] - before[i])).isEqualTo(distance, within(1e-5f));
    }
  }

  /** Sets random gradients on all weights through a loss that is linear in them. */
  private static Map<String, double[]> setGradients(
      Weights weights, Random random, NDManager manager) {
    Map<String, double[]> gradients = new LinkedHashMap<>();
    try (NDManager pass = manager.newSubManager();
        GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
      for (ParameterSpec spec : weights.layout()) {
        float[] values = new float[Math.toIntExact(spec.size())];
        for (int i = 0; i < values.length; i++) {
          values[i] = (float) random.nextGaussian();
        }
        gradients.put(spec.name(), doubles(values));
        NDArray weight = weights.get(spec.name());
        NDArray coefficient = pass.create(values, weight.getShape());
        collector.backward(coefficient.mul(weight).sum());
      }
    }
    return gradients;
  }

  private static double norm(Map<String, double[]> gradients) {
    double squares = 0;
    for (double[] gradient : gradients.values()) {
      for (double value : gradient) {
        squares += value * value;
      }
    }
    return Math.sqrt(squares);
  }

  private static double[] doubles(float[] values) {
    double[] doubles = new double[values.length];
    for (int i = 0; i < doubles.length; i++) {
      doubles[i] = values[i];
    }
    return doubles;
  }
}
