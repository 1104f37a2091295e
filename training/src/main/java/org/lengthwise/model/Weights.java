package org.lengthwise.model;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import org.lengthwise.kernel.EngineMemory;
import org.lengthwise.positional.PositionalParameter.Initial;
import org.lengthwise.positional.attention.Numerics;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.training.safetensors.FloatFormat;
import org.lengthwise.training.safetensors.StoredNumbers;
import org.lengthwise.training.safetensors.TensorSource;
import org.lengthwise.training.safetensors.Tensors;

/**
 * The tensors of a model on a device, by name and in layout order. Owns them until closed.
 *
 * <p>Invariant: exactly the tensors of {@link ParameterLayout}, with their shapes, in float32,
 * except the matrices of {@link #stored} weights.
 */
public final class Weights implements AutoCloseable {
  /** Numbers in Java's heap at a time, unless one tensor has more: 256 MB. */
  private static final long MOST_DRAWN = 1 << 26;

  private final NDManager manager;
  private final List<ParameterSpec> layout;
  private final Map<String, NDArray> tensors = new LinkedHashMap<>();
  private boolean isNarrow;

  private Weights(List<ParameterSpec> layout, Device device) {
    this.layout = layout;
    this.manager = NDManager.newBaseManager(device, "PyTorch");
  }

  /**
   * {@return random initial weights, to be closed by the caller} Each tensor has its own random
   * stream. So a seed gives the same values on every device, and two schemes start with equal
   * values in all tensors that both have.
   */
  public static Weights initialise(ModelConfig config, RandomStreams streams, Device device) {
    Weights weights = new Weights(ParameterLayout.of(config), device);
    List<ParameterSpec> left = weights.layout;
    while (!left.isEmpty()) { // all processors draw, some tensors at a time
      int some = 1;
      for (long sum = left.get(0).size(); some < left.size(); some++) {
        sum += left.get(some).size();
        if (sum > MOST_DRAWN) {
          break;
        }
      }
      List<ParameterSpec> next = left.subList(0, some);
      List<float[]> drawn = next.parallelStream().map(spec -> initial(spec, streams)).toList();
      for (int i = 0; i < some; i++) {
        weights.put(next.get(i), FloatBuffer.wrap(drawn.get(i)));
      }
      left = left.subList(some, left.size());
    }
    return weights;
  }

  /** {@return the random initial values of one tensor, row-major} */
  public static float[] initial(ParameterSpec spec, RandomStreams streams) {
    return values(spec, streams.stream("weights/" + spec.name()));
  }

  /**
   * {@return weights with given values, to be closed by the caller} One tensor at a time is in
   * Java's heap.
   *
   * @param values gives each tensor's numbers, row-major, by name
   * @throws IOException if the numbers cannot be read
   * @throws IllegalArgumentException if a tensor has another size
   */
  public static Weights of(ModelConfig config, TensorSource values, Device device)
      throws IOException {
    Weights weights = new Weights(ParameterLayout.of(config), device);
    boolean complete = false;
    try {
      for (ParameterSpec spec : weights.layout) {
        FloatBuffer numbers = values.numbers(spec.name());
        requireSize(spec, numbers.remaining());
        weights.put(spec, numbers);
      }
      complete = true;
      return weights;
    } finally {
      if (!complete) {
        weights.close();
      }
    }
  }

  /**
   * {@return weights for inference whose matrices keep the format of their file, to be closed by
   * the caller} Kernels widen a matrix of 16 bits when they use it, without loss. All other tensors
   * are in float32. Some rows of a matrix at a time are in memory twice.
   *
   * @param values gives each tensor's numbers, row-major, by name
   * @param widens whether all matrices are in float32 instead
   * @throws IOException if the numbers cannot be read
   * @throws IllegalArgumentException if a tensor has another size
   */
  public static Weights stored(ModelConfig config, Tensors values, Device device, boolean widens)
      throws IOException {
    Weights weights = new Weights(ParameterLayout.of(config), device);
    boolean complete = false;
    try (DecoderKernels kernels =
            new DecoderKernels(config.form(), device, Numerics.of(Precision.FLOAT32));
        StoredRows rows = new StoredRows(weights.mostColumns())) {
      DecoderKernels outside = kernels.withGradient(); // tensors of inference mode never have one
      for (ParameterSpec spec : weights.layout) {
        StoredNumbers numbers = values.numbers(spec.name());
        requireSize(spec, numbers.size());
        if (spec.decays()) {
          FloatFormat format = widens ? FloatFormat.F32 : numbers.format();
          weights.isNarrow |= format != FloatFormat.F32;
          weights.tensors.put(spec.name(), weights.matrix(spec, numbers, format, rows, outside));
        } else {
          weights.put(spec, numbers.floats());
        }
      }
      complete = true;
      return weights;
    } finally {
      if (!complete) {
        weights.close();
      }
    }
  }

  private static void requireSize(ParameterSpec spec, int found) {
    if (found != spec.size()) {
      throw new IllegalArgumentException(
          "tensor %s: expected %s, found %s numbers".formatted(spec.name(), spec.shape(), found));
    }
  }

  /** The columns of the widest matrix; 1 if there is none. */
  private int mostColumns() {
    return layout.stream()
        .filter(ParameterSpec::decays)
        .mapToInt(spec -> spec.shape().get(1))
        .max()
        .orElse(1);
  }

  /**
   * A matrix in a format. DJL has no operation on bfloat16, so kernels make it from some rows in
   * float32 at a time.
   */
  private NDArray matrix(
      ParameterSpec spec,
      StoredNumbers numbers,
      FloatFormat format,
      StoredRows stored,
      DecoderKernels kernels)
      throws IOException {
    int numRows = spec.shape().get(0);
    int columns = spec.shape().get(1);
    try (NDArray none_0c = manager.create(new Shape(0, columns))) {
      NDArray matrix = kernels.matrix(none_0c, numRows, format);
      stored.each(
          numbers,
          numRows,
          columns,
          (rows, first, count) -> {
            Shape shape = new Shape(count, columns);
            try (NDArray x_nc = manager.create(rows, shape, DataType.FLOAT32)) {
              kernels.setRows(matrix, x_nc, first).close();
            }
          });
      return matrix;
    }
  }

  private void put(ParameterSpec spec, FloatBuffer values) {
    long[] shape = spec.shape().stream().mapToLong(Integer::longValue).toArray();
    tensors.put(spec.name(), EngineMemory.tensor(manager, values, new Shape(shape)));
  }

  private static float[] values(ParameterSpec spec, Random random) {
    float[] values = new float[Math.toIntExact(spec.size())];
    if (spec.initial() instanceof Initial.Constant constant) {
      Arrays.fill(values, (float) constant.value());
    } else if (spec.initial() instanceof Initial.Numbers numbers) {
      for (int i = 0; i < values.length; i++) {
        values[i] = numbers.values().get(i).floatValue();
      }
    } else if (spec.initial() instanceof Initial.Normal normal) {
      for (int i = 0; i < values.length; i++) {
        values[i] = (float) (random.nextGaussian() * normal.deviation());
      }
    } else if (spec.initial() instanceof Initial.TruncatedNormal truncated) {
      for (int i = 0; i < values.length; i++) {
        double value;
        do {
          value = random.nextGaussian();
        } while (Math.abs(value) > 2);
        values[i] = (float) (value * truncated.deviation());
      }
    } else if (spec.initial() instanceof Initial.Drawn drawn) {
      for (int i = 0; i < values.length; i++) {
        double x = drawn.low() + random.nextDouble() * (drawn.high() - drawn.low());
        values[i] = (float) drawn.by().applyAsDouble(x);
      }
    } else if (spec.initial() instanceof Initial.Uniform uniform) {
      for (int i = 0; i < values.length; i++) {
        double value = uniform.low() + random.nextDouble() * (uniform.high() - uniform.low());
        values[i] = (float) spec.bounds().clamp(value);
      }
    } else {
      throw new AssertionError("no initial values for " + spec.name() + " by " + spec.initial());
    }
    return values;
  }

  /**
   * {@return one tensor, owned by these weights}
   *
   * @throws IllegalArgumentException if the model has no such tensor
   */
  public NDArray get(String name) {
    NDArray tensor = tensors.get(name);
    if (tensor == null) {
      throw new IllegalArgumentException("no tensor " + name + " in this model");
    }
    return tensor;
  }

  /** {@return an unmodifiable view of all tensors by name, in layout order} */
  public Map<String, NDArray> tensors() {
    return java.util.Collections.unmodifiableMap(tensors);
  }

  /** {@return the descriptions of the tensors} */
  public List<ParameterSpec> layout() {
    return layout;
  }

  /** {@return whether a matrix is in 16 bits, so that kernels widen it in each pass} */
  public boolean isNarrow() {
    return isNarrow;
  }

  public Device device() {
    return manager.getDevice();
  }

  /** Turns on gradients for every tensor. */
  public void requireGradients() {
    requireGradients(spec -> true);
  }

  /** Turns on gradients for some tensors. The others are constants of training. */
  public void requireGradients(Predicate<ParameterSpec> trained) {
    layout.stream().filter(trained).forEach(spec -> get(spec.name()).setRequiresGradient(true));
  }

  @Override
  public void close() {
    manager.close();
  }
}
