package org.lengthwise.model;

import ai.djl.Device;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.lengthwise.positional.PositionalParameter.Bounds;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.training.TestDevice;

/** A small model with weights far from their initial values, as floats and as doubles. */
record RandomModel(ModelConfig config, Map<String, float[]> floats) {
  static final int VOCABULARY = 13;

  static RandomModel of(PositionalScheme scheme, Random random) {
    // Fused GPU kernels require multiples of 8 numbers in bfloat16.
    int headWidth = TestDevice.isGpu() ? 8 : 4;
    return of(new ModelConfig(2, 3 * headWidth, 3, VOCABULARY, scheme), random);
  }

  static RandomModel of(ModelConfig config, Random random) {
    Map<String, float[]> floats = new LinkedHashMap<>();
    for (ParameterSpec spec : ParameterLayout.of(config)) {
      float[] values = new float[Math.toIntExact(spec.size())];
      for (int i = 0; i < values.length; i++) {
        double value = 0.3 * random.nextGaussian();
        // Bounded values stay inside their bounds, so that finite differences are two-sided.
        boolean isBounded = !spec.bounds().equals(Bounds.NONE);
        values[i] = (float) (isBounded ? 0.1 + Math.abs(value) : value);
      }
      floats.put(spec.name(), values);
    }
    return new RandomModel(config, floats);
  }

  Weights weights() {
    return weights(Device.cpu());
  }

  Weights weights(Device device) {
    try {
      return Weights.of(
          config, name -> FloatBuffer.wrap(Objects.requireNonNull(floats.get(name))), device);
    } catch (IOException e) {
      throw new AssertionError("no file is read", e);
    }
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
