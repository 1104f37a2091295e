package org.lengthwise.positional.attention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.kernel.KernelModule;
import org.lengthwise.positional.Linear;
import org.lengthwise.positional.Linear.Member;
import org.lengthwise.positional.PositionalParameter;
import org.lengthwise.positional.PositionalValues;
import org.lengthwise.positional.ReferenceRecurrence;

/** Chunks, single steps and carried states against the recurrence in plain doubles. */
class LinearIT {
  private static final int HEADS = 3;
  private static final int BATCH = 2;
  private static final int HEAD_WIDTH = 8;
  private static final int WIDTH = HEADS * HEAD_WIDTH;
  private static final long SEED = Long.getLong("lengthwise.test.seed", 20260101L);

  private static AttentionKernels float32;
  private static AttentionKernels bfloat16;
  private static AttentionKernels gpuLayouts;
  private static AttentionKernels gpuLayoutsInBfloat16;

  static Stream<Linear> members() {
    return Stream.concat(
        Arrays.stream(Member.values()).map(member -> new Linear(member, false)),
        Stream.of(new Linear(Member.DELTANET, true), new Linear(Member.GATED_DELTANET, true)));
  }

  static Stream<Linear> membersWithSteps() {
    return members().filter(scheme -> scheme.kernelTensors(HEADS, WIDTH).contains(Case.DECAY));
  }

  @BeforeAll
  static void loadKernels() {
    float32 = new AttentionKernels(TestDevice.current(), Precision.FLOAT32);
    bfloat16 = new AttentionKernels(TestDevice.current(), Precision.BFLOAT16);
    KernelModule.Target gpu = new KernelModule.Target(true, 20701, false, false);
    gpuLayouts = new AttentionKernels(TestDevice.current(), Numerics.of(Precision.FLOAT32), gpu);
    gpuLayoutsInBfloat16 =
        new AttentionKernels(TestDevice.current(), Numerics.of(Precision.BFLOAT16), gpu);
  }

  @AfterAll
  static void closeKernels() {
    float32.close();
    bfloat16.close();
    gpuLayouts.close();
    gpuLayoutsInBfloat16.close();
  }

  @ParameterizedTest
  @MethodSource("members")
  void chunksEqualTheReference(Linear scheme) {
    for (int length : new int[] {1, 2, 3, 15, 16, 17, 63, 64, 65, 130, 300}) {
      Case example = new Case(scheme, length);
      float[] expected = example.reference();
      double size = largest(expected);
      for (AttentionKernels kernels : List.of(float32, gpuLayouts)) {
        assertArrayEquals(
            expected,
            example.run(kernels, DataType.FLOAT32, scheme.chunk(), length),
            (float) (TestDevice.tolerance(1e-5) * Math.max(1, size)),
            "T = %s, seed %s".formatted(length, SEED));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("members")
  void chunksInFloat64EqualTheReference(Linear scheme) {
    for (int length : new int[] {1, 17, 65, 130, 300}) {
      Case example = new Case(scheme, length);
      Map<String, double[]> found = example.gradients(DataType.FLOAT64, scheme.chunk());
      assertArrayEquals(
          example.referenceNumbers(),
          Objects.requireNonNull(found.get(Case.VALUES)),
          1e-9,
          "T = %s, seed %s".formatted(length, SEED));
    }
  }

  /** The logs of gates add up to hundreds, and ratios depend on small differences of them. */
  @ParameterizedTest
  @MethodSource("membersWithSteps")
  void strongResetsInsideAChunkEqualTheReference(Linear scheme) {
    Case example = new Case(scheme, 130).withResets();
    float[] expected = example.reference();
    for (int piece : new int[] {130, 33}) {
      assertArrayEquals(
          expected,
          example.run(float32, DataType.FLOAT32, scheme.chunk(), piece),
          (float) (TestDevice.tolerance(1e-5) * Math.max(1, largest(expected))),
          "pieces of %s, seed %s".formatted(piece, SEED));
    }
    requireGradientsOfFloat64(example);
  }

  @ParameterizedTest
  @MethodSource("members")
  void carriedStatesMakePiecesEqualToTheWhole(Linear scheme) {
    Case example = new Case(scheme, 70);
    float[] expected = example.reference();
    for (int piece : new int[] {1, 2, 33, 64}) {
      assertArrayEquals(
          expected,
          example.run(float32, DataType.FLOAT32, scheme.chunk(), piece),
          (float) (TestDevice.tolerance(1e-5) * Math.max(1, largest(expected))),
          "pieces of %s, seed %s".formatted(piece, SEED));
    }
  }

  @ParameterizedTest
  @MethodSource("members")
  void valuesAndGradientsOfChunksEqualThoseOfSingleStepsInFloat64(Linear scheme) {
    for (int length : new int[] {1, 17, 65, 130}) {
      Case example = new Case(scheme, length);
      Map<String, double[]> chunks = example.gradients(DataType.FLOAT64, scheme.chunk());
      Map<String, double[]> steps = example.gradients(DataType.FLOAT64, 1);
      steps.forEach(
          (name, expected) ->
              assertThat(difference(Objects.requireNonNull(chunks.get(name)), expected))
                  .as("T = %s, %s", length, name)
                  .isLessThan(1e-9));
    }
  }

  @ParameterizedTest
  @MethodSource("members")
  void gradientsInFloat32EqualThoseOfFloat64(Linear scheme) {
    requireGradientsOfFloat64(new Case(scheme, 130));
  }

  private static void requireGradientsOfFloat64(Case example) {
    Map<String, double[]> exact = example.gradients(DataType.FLOAT64, 1);
    Map<String, double[]> found = example.gradients(DataType.FLOAT32, example.scheme.chunk());
    exact.forEach(
        (name, expected) ->
            assertThat(difference(Objects.requireNonNull(found.get(name)), expected))
                .as(name)
                .isLessThan(TestDevice.tolerance(1e-5)));
  }

  @ParameterizedTest
  @MethodSource("members")
  void gradientsMatchFiniteDifferencesOfTheReference(Linear scheme) {
    Case example = new Case(scheme, 130);
    Random random = new Random(SEED);
    Map<String, double[]> gradients = example.gradients(DataType.FLOAT64, scheme.chunk());
    gradients.remove(Case.VALUES);
    gradients.forEach(
        (name, gradient) -> {
          double[] direction = random.doubles(gradient.length, -1, 1).toArray();
          double expected = example.derivative(name, direction);
          double size = Math.sqrt(Arrays.stream(gradient).map(x -> x * x).sum());
          double found =
              IntStream.range(0, gradient.length)
                  .mapToDouble(i -> gradient[i] * direction[i])
                  .sum();
          assertThat(found).as("%s, seed %s", name, SEED).isCloseTo(expected, within(1e-9 * size));
        });
  }

  @ParameterizedTest
  @MethodSource("members")
  void staysCloseInBfloat16(Linear scheme) {
    Case example = new Case(scheme, 37);
    float[] expected = example.reference();
    for (AttentionKernels kernels : List.of(bfloat16, gpuLayoutsInBfloat16)) {
      for (int piece : new int[] {37, 5}) {
        assertArrayEquals(
            expected,
            example.run(kernels, DataType.FLOAT32, scheme.chunk(), piece),
            (float) (0.05 * Math.max(1, largest(expected))),
            "pieces of %s, seed %s".formatted(piece, SEED));
      }
    }
  }

  /** What is summed and carried has the format float32. */
  @ParameterizedTest
  @MethodSource("members")
  void roundsNothingButTheRowsInBfloat16(Linear scheme) {
    Case example = new Case(scheme, 130).withBfloat16Rows();
    float[] expected = example.reference();
    for (int piece : new int[] {130, 33}) {
      assertArrayEquals(
          expected,
          example.run(bfloat16, DataType.FLOAT32, scheme.chunk(), piece),
          (float) (TestDevice.tolerance(1e-5) * Math.max(1, largest(expected))),
          "pieces of %s, seed %s".formatted(piece, SEED));
    }
  }

  /** The bounds are those of all schemes. */
  @ParameterizedTest
  @MethodSource("members")
  void gradientsOfRowsInBfloat16StayCloseToThoseOfFloat64(Linear scheme) {
    Case example = new Case(scheme, 37);
    Map<String, double[]> exact = example.gradients(DataType.FLOAT64, 1);
    for (AttentionKernels kernels : List.of(bfloat16, gpuLayoutsInBfloat16)) {
      Map<String, double[]> found = example.gradients(kernels, DataType.FLOAT32, scheme.chunk());
      exact.forEach(
          (name, expected) ->
              assertThat(difference(Objects.requireNonNull(found.get(name)), expected))
                  .as("%s, seed %s", name, SEED)
                  .isLessThan(expected.length < 24 ? 0.3 : 0.05));
    }
  }

  @ParameterizedTest
  @MethodSource("members")
  void gatesThatForgetAllStayFinite(Linear scheme) {
    Case example = new Case(scheme, 130);
    Arrays.setAll(example.rows, i -> 40 * example.rows[i]);
    for (double[] gradient : example.gradients(DataType.FLOAT32, scheme.chunk()).values()) {
      assertThat(Arrays.stream(gradient)).allMatch(Double::isFinite);
    }
  }

  private static double largest(float[] x) {
    return IntStream.range(0, x.length).mapToDouble(i -> Math.abs(x[i])).max().orElseThrow();
  }

  /** The distance of two vectors, relative to the length of the second one. */
  private static double difference(double[] found, double[] expected) {
    double apart = 0;
    double all = 0;
    for (int i = 0; i < expected.length; i++) {
      apart += Math.pow(found[i] - expected[i], 2);
      all += Math.pow(expected[i], 2);
    }
    return Math.sqrt(apart / Math.max(1e-12, all));
  }

  /** Random rows and learnable numbers. */
  private static final class Case {
    private static final String ROWS = "rows";
    private static final String VALUES = "values";
    private static final String DECAY = "decay";
    private final Linear scheme;
    private final int length;
    private final int rowWidth;
    private final double[] rows;
    private final double[] cotangent;
    private final Map<String, double[]> parameters = new LinkedHashMap<>();

    Case(Linear scheme, int length) {
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
    Case withResets() {
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
    Case withBfloat16Rows() {
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

    private double[] referenceNumbers() {
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

    Map<String, double[]> gradients(DataType type, int chunk) {
      return gradients(float32, type, chunk);
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
}
