package org.lengthwise.model;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.KerpleLog;
import org.lengthwise.positional.KerplePower;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Sandwich;
import org.lengthwise.positional.SlidingWindow;
import org.lengthwise.positional.T5;
import org.lengthwise.positional.attention.Numerics;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.config.OptimizerConfig;
import org.lengthwise.training.optimizer.AdamW;

/** A built-in scheme and its formula begin with the same weights and stay together. */
class FormulaTwinIT {
  private static final int LENGTH = 150; // beyond the window of 128
  private static final int VOCABULARY = 13;
  private static final int WIDTH = 32;
  private static final int HEADS = 4;
  private static final String T5_TABLE = "transformer.position.bias";

  static Stream<Arguments> twins() {
    return Stream.of(
        Arguments.of(new Alibi(), "alibi"),
        Arguments.of(new KerpleLog(), "kerple-log"),
        Arguments.of(new KerplePower(), "kerple-power"),
        Arguments.of(new T5(T5.Scale.SQRT_HEAD_WIDTH), "t5"),
        Arguments.of(new Sandwich(128), "sandwich"),
        Arguments.of(new SlidingWindow(128, SlidingWindow.Within.ALIBI), "sliding-window-128"));
  }

  private static ModelConfig model(PositionalScheme scheme) {
    return new ModelConfig(2, WIDTH, HEADS, VOCABULARY, scheme);
  }

  private static PositionalScheme formula(String name) {
    return ConfigLoader.load(Path.of("../conf/position/formula/" + name + ".yaml"), List.of())
        .bind("position", PositionalScheme.class)
        .trainedAt(LENGTH, HEADS, WIDTH, 2);
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("twins")
  void lossAndGradientsAreEqualAndWeightsAfter50Steps(PositionalScheme scheme, String name)
      throws IOException {
    Map<String, float[]> first = new LinkedHashMap<>();
    for (ParameterSpec spec : ParameterLayout.of(model(scheme))) {
      float[] values = new float[Math.toIntExact(spec.size())];
      Random random = new Random(spec.name().hashCode());
      for (int i = 0; i < values.length; i++) {
        values[i] =
            spec.name().startsWith("transformer.position")
                ? random.nextFloat()
                : (float) (0.1 * random.nextGaussian())
                    + (spec.name().matches(".*ln_.*weight") ? 1 : 0);
      }
      first.put(spec.name(), values);
    }
    Trained builtIn = train(model(scheme), first);
    Trained ours = train(model(formula(name)), scheme instanceof T5 ? turned(first, 32) : first);
    if (scheme instanceof T5) {
      ours = new Trained(ours.loss, turned(ours.gradients, HEADS), turned(ours.weights, HEADS));
    }
    assertThat(ours.loss).isEqualTo(builtIn.loss, within(1e-5f));
    requireClose(ours.gradients, builtIn.gradients, 1e-5f);
    requireClose(ours.weights, builtIn.weights, 1e-4f);
  }

  private static void requireClose(
      Map<String, float[]> found, Map<String, float[]> expected, float tolerance) {
    assertThat(found.keySet()).isEqualTo(expected.keySet());
    Map<String, Float> apart = new LinkedHashMap<>();
    found.forEach(
        (tensor, numbers) -> {
          float[] others = requireNonNull(expected.get(tensor));
          float most = 0;
          for (int i = 0; i < numbers.length; i++) {
            if (isBiasOfKeys(tensor, i)) {
              continue;
            }
            most = Math.max(most, Math.abs(numbers[i] - others[i]));
          }
          if (!(most <= tolerance)) {
            apart.put(tensor, most);
          }
        });
    assertThat(apart).isEmpty();
  }

  /**
   * A bias of the keys adds the same number to all scores of a query. Its gradient is 0 but for
   * rounding, and Adam turns rounding errors into steps.
   */
  private static boolean isBiasOfKeys(String tensor, int index) {
    return tensor.endsWith("attn.c_attn.bias") && index / WIDTH == 1;
  }

  /** The table of T5 has an axis of buckets, then one of heads; that of the formula is turned. */
  private static Map<String, float[]> turned(Map<String, float[]> tensors, int rows) {
    Map<String, float[]> all = new LinkedHashMap<>(tensors);
    all.computeIfPresent(
        T5_TABLE,
        (name, table) -> {
          int columns = table.length / rows;
          float[] turned = new float[table.length];
          for (int i = 0; i < table.length; i++) {
            turned[i % columns * rows + i / columns] = table[i];
          }
          return turned;
        });
    return all;
  }

  /** The loss and the gradients of the first step, and the last weights. */
  private record Trained(
      float loss, Map<String, float[]> gradients, Map<String, float[]> weights) {}

  private static Trained train(ModelConfig config, Map<String, float[]> first) throws IOException {
    OptimizerConfig optimizerConfig =
        new OptimizerConfig(1e-3, 1, 0.9, 0.95, 1e-8, 0.1, 1, 0.05, 0.1);
    try (NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch");
        Weights weights =
            Weights.of(
                config, name -> FloatBuffer.wrap(requireNonNull(first.get(name))), Device.cpu());
        Decoder model = new Decoder(config, weights, Numerics.of(Precision.FLOAT32));
        AdamW optimizer = new AdamW(optimizerConfig, weights)) {
      weights.requireGradients();
      Random random = new Random(11);
      Map<String, float[]> gradients = new LinkedHashMap<>();
      float loss = 0;
      for (int step = 1; step <= 50; step++) {
        try (NDManager pass = manager.newSubManager()) {
          float found = step(model, pass, random);
          if (step == 1) {
            loss = found;
            weights
                .tensors()
                .forEach(
                    (name, tensor) -> gradients.put(name, tensor.getGradient().toFloatArray()));
          }
          optimizer.update(step, 1e-3);
        }
      }
      Map<String, float[]> last = new LinkedHashMap<>();
      weights.tensors().forEach((name, tensor) -> last.put(name, tensor.toFloatArray()));
      return new Trained(loss, gradients, last);
    }
  }

  private static float step(Decoder model, NDManager pass, Random random) {
    long[] tokens = random.longs(2L * LENGTH, 0, VOCABULARY).toArray();
    long[] targets = random.longs(2L * LENGTH, 0, VOCABULARY).toArray();
    Shape shape = new Shape(2, LENGTH);
    try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
      NDArray loss = model.loss(pass.create(tokens, shape), pass.create(targets, shape));
      collector.backward(loss);
      return loss.getFloat();
    }
  }
}
