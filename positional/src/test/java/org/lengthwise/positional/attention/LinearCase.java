package org.lengthwise.positional.attention;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.lengthwise.positional.Linear;
import org.lengthwise.positional.PositionalParameter;
import org.lengthwise.positional.PositionalValues;
import org.lengthwise.positional.ReferenceRecurrence;

/** Random rows and learnable numbers of a linear recurrence. */
final class LinearCase {
  static final int HEADS = 3;
  static final int BATCH = 2;
  static final int HEAD_WIDTH = 8;
  static final int WIDTH = HEADS * HEAD_WIDTH;
  static final long SEED = Long.getLong("lengthwise.test.seed", 20260101L);

  private static final String ROWS = "rows";
  static final String VALUES = "values";
  static final String DECAY = "decay";
  final Linear scheme;
  private final int length;
  private final int rowWidth;
  final double[] rows;
  private final double[] cotangent;
  private final Map<String, double[]> parameters = new LinkedHashMap<>();

  LinearCase(Linear scheme, int length) {
    Random random = new Random(SEED);
    this.scheme = scheme;
    this.length = length;
    this.rowWidth = scheme.rowWidth(HEADS, WIDTH);
    this.rows = random.doubles((long) BATCH * length * rowWidth, -2, 2).toArray();
    this.cotangent = random.doubles((long) BATCH * length * WIDTH, -1, 1).toArray();
    for (PositionalParameter parameter : scheme.parameters(HEADS, WIDTH)) {
      if (!parameter.name().equals("c_f.weight")) {
        parameters.put(parameter.name(), random.doubles(parameter.size(), -1, 1).toArray());
      }
    }
  }

  /** Gates near 1, but log gates of -40 and -80 at every fifth position. */
  LinearCase withResets() {
    int first = scheme.recurrence(HEADS, WIDTH).orElseThrow().projected();
    double rate = 16;
    Arrays.fill(Objects.requireNonNull(parameters.get(DECAY)), Math.log(rate));
    Arrays.fill(Objects.requireNonNull(parameters.get("step")), 0);
    for (int row = 0; row < BATCH * length; row++) {
      double reset = Math.log(Math.expm1(40 * (1 + row % 2) / rate));
      for (int place = row * rowWidth + first; place < row * rowWidth + first + HEADS; place++) {
        rows[place] = row % 5 == 4 ? reset : rows[place] - 6;
      }
    }
    return this;
  }

  /** Rows that bfloat16, the upper half of a float, can hold. */
  LinearCase withBfloat16Rows() {
    Arrays.setAll(
        rows, i -> Float.intBitsToFloat(Float.floatToIntBits((float) rows[i]) & 0xFFFF0000));
    return this;
  }

  private double[][] sequence(int b) {
    double[][] rows_TE = new double[length][];
    for (int t = 0; t < length; t++) {
      int start = (b * length + t) * rowWidth;
      rows_TE[t] = Arrays.copyOfRange(rows, start, start + rowWidth);
    }
    return rows_TE;
  }

  double[] referenceNumbers() {
    PositionalValues values = new PositionalValues(HEADS, HEAD_WIDTH, parameters);
    return IntStream.range(0, BATCH)
        .mapToObj(b -> new ReferenceRecurrence(scheme, values).run(sequence(b)))
        .flatMap(Arrays::stream)
        .flatMapToDouble(Arrays::stream)
        .toArray();
  }

  float[] reference() {
    double[] numbers = referenceNumbers();
    float[] floats = new float[numbers.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) numbers[i];
    }
    return floats;
  }

  /** That of the reference's product with the cotangent, with an error of the fourth order. */
  double derivative(String name, double[] direction) {
    double h = 3e-5;
    double near = loss(name, direction, h) - loss(name, direction, -h);
    double far = loss(name, direction, 2 * h) - loss(name, direction, -2 * h);
    return (8 * near - far) / (12 * h);
  }

  private double loss(String name, double[] direction, double step) {
    double[] numbers = name.equals(ROWS) ? rows : Objects.requireNonNull(parameters.get(name));
    double[] before = numbers.clone();
    Arrays.setAll(numbers, i -> before[i] + step * direction[i]);
    double[] out = referenceNumbers();
    System.arraycopy(before, 0, numbers, 0, before.length);
    return IntStream.range(0, out.length).mapToDouble(i -> out[i] * cotangent[i]).sum();
  }

  /** The result of pieces that carry states. Rows have the format of the kernels' products. */
  float[] run(AttentionKernels kernels, DataType type, int chunk, int piece) {
    float[] all = new float[BATCH * length * WIDTH];
    try (NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch");
        LayerStates states = new LayerStates(manager)) {
      Map<String, NDArray> tensors = tensors(manager, type);
      NDArray rows_BTE = tensor(manager, rows, new Shape(BATCH, length, rowWidth), type);
      for (int first = 0; first < length; first += piece) {
        int end = Math.min(length, first + piece);
        Attention.Pass pass =
            new Attention.Pass(
                HEADS, HEAD_WIDTH, end - first, true, 0, Optional.empty(), Optional.of(states));
        NDArray part = rows_BTE.get(new NDIndex(":, {}:{}", first, end)).duplicate();
        NDArray rounded = kernels.run("rounded", part);
        float[] out =
            new LinearAttention(
                    scheme,
                    kernels,
                    (name, k) -> Objects.requireNonNull(tensors.get(name)),
                    pass,
                    chunk)
                .attend(rounded, 0, 0)
                .toFloatArray();
        for (int b = 0; b < BATCH; b++) {
          int size = (end - first) * WIDTH;
          System.arraycopy(out, b * size, all, (b * length + first) * WIDTH, size);
        }
      }
    }
    return all;
  }

  /** The gradients and the values. Rows have the format of the kernels' products. */
  Map<String, double[]> gradients(AttentionKernels kernels, DataType type, int chunk) {
    Map<String, double[]> all = new LinkedHashMap<>();
    try (NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch")) {
      Map<String, NDArray> tensors = tensors(manager, type);
      NDArray rows_BTE = tensor(manager, rows, new Shape(BATCH, length, rowWidth), type);
      NDArray cotangent_BTd = tensor(manager, cotangent, new Shape(BATCH, length, WIDTH), type);
      tensors.put(ROWS, rows_BTE);
      tensors.values().forEach(tensor -> tensor.setRequiresGradient(true));
      Attention.Pass pass = new Attention.Pass(HEADS, HEAD_WIDTH, length, true);
      try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
        NDArray out =
            new LinearAttention(
                    scheme,
                    kernels.withGradient(),
                    (name, k) -> Objects.requireNonNull(tensors.get(name)),
                    pass,
                    chunk)
                .attend(kernels.withGradient().run("rounded", rows_BTE), 0, 0);
        all.put(VALUES, doubles(out));
        collector.backward(out.mul(cotangent_BTd).sum());
      }
      tensors.forEach((name, tensor) -> all.put(name, doubles(tensor.getGradient())));
    }
    return all;
  }

  private Map<String, NDArray> tensors(NDManager manager, DataType type) {
    Map<String, NDArray> tensors = new LinkedHashMap<>();
    for (PositionalParameter parameter : scheme.parameters(HEADS, WIDTH)) {
      double[] numbers = parameters.get(parameter.name());
      if (numbers != null) {
        long[] shape = parameter.shape().stream().mapToLong(Integer::longValue).toArray();
        tensors.put(parameter.name(), tensor(manager, numbers, new Shape(shape), type));
      }
    }
    return tensors;
  }

  private static NDArray tensor(NDManager manager, double[] numbers, Shape shape, DataType type) {
    return manager.create(numbers).toType(type, false).reshape(shape);
  }

  private static double[] doubles(NDArray x) {
    return x.toType(DataType.FLOAT64, false).toDoubleArray();
  }
}
