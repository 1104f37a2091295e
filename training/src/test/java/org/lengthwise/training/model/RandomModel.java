package org.lengthwise.training.model;

import ai.djl.Device;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.BiasParameter.Bounds;
import org.lengthwise.positional.Fire;
import org.lengthwise.positional.KerpleLog;
import org.lengthwise.positional.KerplePower;
import org.lengthwise.positional.Learned;
import org.lengthwise.positional.NoPosition;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.Rope;
import org.lengthwise.positional.Sandwich;
import org.lengthwise.positional.Sinusoidal;
import org.lengthwise.positional.SlidingWindow;
import org.lengthwise.positional.SlidingWindow.Within;
import org.lengthwise.positional.T5;

/** A small model with weights far from their initial values, as floats and as doubles. */
record RandomModel(ModelConfig config, Map<String, float[]> floats) {
  static final int VOCABULARY = 13;

  /** Every scheme, RegularGPT with a depth that changes at 3, 9 and 27 tokens. */
  static Stream<PositionalScheme> schemes() {
    return Stream.of(
        new Alibi(),
        new KerpleLog(),
        new KerplePower(),
        new T5(),
        new NoPosition(),
        new Sandwich(8),
        new Fire(10),
        new Rope(10_000),
        new Rope(100).scaled(PositionScaling.YARN, 8),
        new Sinusoidal(),
        new Learned(60),
        new SlidingWindow(4, Within.ALIBI),
        new RegularGpt(3, 2));
  }

  static RandomModel of(PositionalScheme scheme, Random random) {
    ModelConfig config = new ModelConfig(2, 12, 3, VOCABULARY, scheme);
    Map<String, float[]> floats = new LinkedHashMap<>();
    for (ParameterSpec spec : ParameterLayout.of(config)) {
      float[] values = new float[spec.size()];
      for (int i = 0; i < values.length; i++) {
        double value = 0.3 * random.nextGaussian();
        // Bounded values stay inside their bounds, where slopes are two-sided.
        boolean isBounded = !spec.bounds().equals(Bounds.NONE);
        values[i] = (float) (isBounded ? 0.1 + Math.abs(value) : value);
      }
      floats.put(spec.name(), values);
    }
    return new RandomModel(config, floats);
  }

  Weights weights() {
    return Weights.of(config, floats, Device.cpu());
  }

  ReferenceDecoder reference() {
    return reference("", 0, 0);
  }

  /** The reference with one number shifted, for finite differences. */
  ReferenceDecoder reference(String tensor, int index, double shift) {
    Map<String, double[]> doubles = new LinkedHashMap<>();
    floats.forEach(
        (name, values) -> {
          double[] copy = new double[values.length];
          for (int i = 0; i < copy.length; i++) {
            copy[i] = values[i];
          }
          if (name.equals(tensor)) {
            copy[index] += shift;
          }
          doubles.put(name, copy);
        });
    return new ReferenceDecoder(config, doubles);
  }
}
