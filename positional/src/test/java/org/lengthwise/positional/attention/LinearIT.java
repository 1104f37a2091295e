package org.lengthwise.positional.attention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import ai.djl.ndarray.types.DataType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

/** Chunks, single steps and carried states against the recurrence in plain doubles. */
class LinearIT {

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
    return members()
        .filter(
            scheme ->
                scheme
                    .kernelTensors(LinearCase.HEADS, LinearCase.WIDTH)
                    .contains(LinearCase.DECAY));
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
      LinearCase example = new LinearCase(scheme, length);
      float[] expected = example.reference();
      double size = largest(expected);
      for (AttentionKernels kernels : List.of(float32, gpuLayouts)) {
        assertArrayEquals(
            expected,
            example.run(kernels, DataType.FLOAT32, scheme.chunk(), length),
            (float) (TestDevice.tolerance(1e-5) * Math.max(1, size)),
            "T = %s, seed %s".formatted(length, LinearCase.SEED));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("members")
  void chunksInFloat64EqualTheReference(Linear scheme) {
    for (int length : new int[] {1, 17, 65, 130, 300}) {
      LinearCase example = new LinearCase(scheme, length);
      Map<String, double[]> found = example.gradients(float32, DataType.FLOAT64, scheme.chunk());
      assertArrayEquals(
          example.referenceNumbers(),
          Objects.requireNonNull(found.get(LinearCase.VALUES)),
          1e-9,
          "T = %s, seed %s".formatted(length, LinearCase.SEED));
    }
  }

  /** The logs of gates add up to hundreds, and ratios depend on small differences of them. */
  @ParameterizedTest
  @MethodSource("membersWithSteps")
  void strongResetsInsideAChunkEqualTheReference(Linear scheme) {
    LinearCase example = new LinearCase(scheme, 130).withResets();
    float[] expected = example.reference();
    for (int piece : new int[] {130, 33}) {
      assertArrayEquals(
          expected,
          example.run(float32, DataType.FLOAT32, scheme.chunk(), piece),
          (float) (TestDevice.tolerance(1e-5) * Math.max(1, largest(expected))),
          "pieces of %s, seed %s".formatted(piece, LinearCase.SEED));
    }
    requireGradientsOfFloat64(example);
  }

  @ParameterizedTest
  @MethodSource("members")
  void carriedStatesMakePiecesEqualToTheWhole(Linear scheme) {
    LinearCase example = new LinearCase(scheme, 70);
    float[] expected = example.reference();
    for (int piece : new int[] {1, 2, 33, 64}) {
      assertArrayEquals(
          expected,
          example.run(float32, DataType.FLOAT32, scheme.chunk(), piece),
          (float) (TestDevice.tolerance(1e-5) * Math.max(1, largest(expected))),
          "pieces of %s, seed %s".formatted(piece, LinearCase.SEED));
    }
  }

  @ParameterizedTest
  @MethodSource("members")
  void valuesAndGradientsOfChunksEqualThoseOfSingleStepsInFloat64(Linear scheme) {
    for (int length : new int[] {1, 17, 65, 130}) {
      LinearCase example = new LinearCase(scheme, length);
      Map<String, double[]> chunks = example.gradients(float32, DataType.FLOAT64, scheme.chunk());
      Map<String, double[]> steps = example.gradients(float32, DataType.FLOAT64, 1);
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
    requireGradientsOfFloat64(new LinearCase(scheme, 130));
  }

  private static void requireGradientsOfFloat64(LinearCase example) {
    Map<String, double[]> exact = example.gradients(float32, DataType.FLOAT64, 1);
    Map<String, double[]> found =
        example.gradients(float32, DataType.FLOAT32, example.scheme.chunk());
    exact.forEach(
        (name, expected) ->
            assertThat(difference(Objects.requireNonNull(found.get(name)), expected))
                .as(name)
                .isLessThan(TestDevice.tolerance(1e-5)));
  }

  @ParameterizedTest
  @MethodSource("members")
  void gradientsMatchFiniteDifferencesOfTheReference(Linear scheme) {
    LinearCase example = new LinearCase(scheme, 130);
    Random random = new Random(LinearCase.SEED);
    Map<String, double[]> gradients = example.gradients(float32, DataType.FLOAT64, scheme.chunk());
    gradients.remove(LinearCase.VALUES);
    gradients.forEach(
        (name, gradient) -> {
          double[] direction = random.doubles(gradient.length, -1, 1).toArray();
          double expected = example.derivative(name, direction);
          double size = Math.sqrt(Arrays.stream(gradient).map(x -> x * x).sum());
          double found =
              IntStream.range(0, gradient.length)
                  .mapToDouble(i -> gradient[i] * direction[i])
                  .sum();
          assertThat(found)
              .as("%s, seed %s", name, LinearCase.SEED)
              .isCloseTo(expected, within(1e-9 * size));
        });
  }

  @ParameterizedTest
  @MethodSource("members")
  void staysCloseInBfloat16(Linear scheme) {
    LinearCase example = new LinearCase(scheme, 37);
    float[] expected = example.reference();
    for (AttentionKernels kernels : List.of(bfloat16, gpuLayoutsInBfloat16)) {
      for (int piece : new int[] {37, 5}) {
        assertArrayEquals(
            expected,
            example.run(kernels, DataType.FLOAT32, scheme.chunk(), piece),
            (float) (0.05 * Math.max(1, largest(expected))),
            "pieces of %s, seed %s".formatted(piece, LinearCase.SEED));
      }
    }
  }

  /** What is summed and carried has the format float32. */
  @ParameterizedTest
  @MethodSource("members")
  void roundsNothingButTheRowsInBfloat16(Linear scheme) {
    LinearCase example = new LinearCase(scheme, 130).withBfloat16Rows();
    float[] expected = example.reference();
    for (int piece : new int[] {130, 33}) {
      assertArrayEquals(
          expected,
          example.run(bfloat16, DataType.FLOAT32, scheme.chunk(), piece),
          (float) (TestDevice.tolerance(1e-5) * Math.max(1, largest(expected))),
          "pieces of %s, seed %s".formatted(piece, LinearCase.SEED));
    }
  }

  /** The bounds are those of all schemes. */
  @ParameterizedTest
  @MethodSource("members")
  void gradientsOfRowsInBfloat16StayCloseToThoseOfFloat64(Linear scheme) {
    LinearCase example = new LinearCase(scheme, 37);
    Map<String, double[]> exact = example.gradients(float32, DataType.FLOAT64, 1);
    for (AttentionKernels kernels : List.of(bfloat16, gpuLayoutsInBfloat16)) {
      Map<String, double[]> found = example.gradients(kernels, DataType.FLOAT32, scheme.chunk());
      exact.forEach(
          (name, expected) ->
              assertThat(difference(Objects.requireNonNull(found.get(name)), expected))
                  .as("%s, seed %s", name, LinearCase.SEED)
                  .isLessThan(expected.length < 24 ? 0.3 : 0.05));
    }
  }

  @ParameterizedTest
  @MethodSource("members")
  void gatesThatForgetAllStayFinite(Linear scheme) {
    LinearCase example = new LinearCase(scheme, 130);
    Arrays.setAll(example.rows, i -> 40 * example.rows[i]);
    for (double[] gradient :
        example.gradients(float32, DataType.FLOAT32, scheme.chunk()).values()) {
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
}
