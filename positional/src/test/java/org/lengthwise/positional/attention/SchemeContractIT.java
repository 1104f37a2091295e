package org.lengthwise.positional.attention;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.training.GradientCollector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.kernel.KernelModule;

/** The conditions on the attention of every {@link SchemeCase}. */
@ParameterizedClass
@MethodSource("org.lengthwise.positional.attention.SchemeCase#all")
class SchemeContractIT {
  private static final long SEED = Long.getLong("lengthwise.test.seed", 20231206L);
  private static AttentionKernels float32;
  private static AttentionKernels bfloat16;
  private static AttentionKernels gpuLayouts;
  private static AttentionKernels gpuLayoutsInBfloat16;

  private final SchemeCase checked;

  SchemeContractIT(SchemeCase checked) {
    this.checked = checked;
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

  @ParameterizedTest(name = "T = {0}")
  @ValueSource(ints = {1, 2, 3, 5, 16, 17, 37, 64})
  void equalsThePlainDoubleReference(int length) {
    AttentionCase example = example(length);
    for (int level = 0; level < checked.scheme().reach().levels(length); level++) {
      requireClose(
          attend(example, float32, level),
          example.reference(level),
          TestDevice.tolerance(1e-5),
          level);
    }
  }

  @ParameterizedTest(name = "T = {0}")
  @ValueSource(ints = {256, 257, 700})
  void equalsTheReferenceAroundAndBeyondOneBlockOfQueries(int length) {
    AttentionCase example = example(length);
    int level = checked.scheme().reach().levels(length) - 1;
    assertArrayEquals(
        example.reference(level),
        attend(example, float32, level),
        TestDevice.tolerance(1e-5),
        "seed " + SEED);
  }

  @ParameterizedTest(name = "T = {0}")
  @ValueSource(ints = {1, 17, 300})
  void gradientsEqualThoseOfThePlainForm(int length) {
    AttentionCase example = example(length);
    for (int level = 0; level < checked.scheme().reach().levels(length); level++) {
      Map<String, float[]> expected =
          gradients(
              example,
              float32,
              level,
              (scheme, kernels, tensors, pass, manager) ->
                  scheme.accept(new PlainAttention(kernels, tensors, pass, manager)));
      Map<String, float[]> found = gradients(example, float32, level, Attention::begin);
      for (Map.Entry<String, float[]> gradient : expected.entrySet()) {
        assertThat(difference(requireNonNull(found.get(gradient.getKey())), gradient.getValue()))
            .as("seed %d, level %d, gradient of %s", SEED, level, gradient.getKey())
            .isLessThan(TestDevice.tolerance(2e-5)); // both are sums of T^2 numbers in float32
      }
    }
  }

  /** In these layouts the kernels also check the rules of a GPU's fused kernels. */
  @ParameterizedTest(name = "T = {0}")
  @ValueSource(ints = {1, 17, 300})
  void layoutsOfAGpuHaveTheSameValuesAndGradients(int length) {
    AttentionCase example = example(length);
    for (int level = 0; level < checked.scheme().reach().levels(length); level++) {
      requireClose(
          attend(example, gpuLayouts, level),
          example.reference(level),
          TestDevice.tolerance(1e-5),
          level);
      requireClose(
          gradients(example, gpuLayouts, level),
          gradients(example, float32, level),
          TestDevice.tolerance(1e-5),
          level);
    }
  }

  @Test
  void layoutsOfAGpuStayCloseInBfloat16() {
    AttentionCase example = example(37);
    for (int level = 0; level < checked.scheme().reach().levels(37); level++) {
      requireClose(
          attend(example, gpuLayoutsInBfloat16, level), example.reference(level), 0.05f, level);
      requireCloseInBfloat16(example, gpuLayoutsInBfloat16, level);
    }
  }

  /** The query of the last position over stored keys and values, as a text is read on. */
  @ParameterizedTest(name = "T = {0}")
  @ValueSource(ints = {1, 2, 17, 37, 300})
  void theLastPositionAloneHasTheSameResult(int length) {
    AttentionCase example = example(length);
    for (int level = 0; level < checked.scheme().reach().levels(length); level++) {
      float[] expected = example.lastOfReference(level);
      for (AttentionKernels kernels : List.of(float32, gpuLayouts)) {
        requireClose(
            attendNext(example, kernels, level), expected, TestDevice.tolerance(1e-5), level);
      }
      requireClose(attendNext(example, gpuLayoutsInBfloat16, level), expected, 0.05f, level);
    }
  }

  /** 17 positions are three passes of as many values as a head has features. */
  @ParameterizedTest(name = "T = {0}")
  @ValueSource(ints = {1, 8, 17})
  void watchedWeightsTimesTheValuesAreTheResult(int length) {
    AttentionCase example = example(length);
    for (int level = 0; level < checked.scheme().reach().levels(length); level++) {
      List<float[]> watched = new ArrayList<>();
      float[] result =
          attend(
              example,
              float32,
              level,
              WatchedAttention.of(
                  Attention::begin, layer -> watched.add(layer.weights_BHnn().toFloatArray())));
      requireClose(example.weighted(watched.get(0)), result, TestDevice.tolerance(1e-5), level);
    }
  }

  private static void requireClose(float[] found, float[] expected, float tolerance, int level) {
    assertArrayEquals(expected, found, tolerance, "seed %s, level %s".formatted(SEED, level));
  }

  private static void requireClose(
      Map<String, float[]> found, Map<String, float[]> expected, double tolerance, int level) {
    expected.forEach(
        (name, gradient) ->
            assertThat(difference(requireNonNull(found.get(name)), gradient))
                .as("seed %d, level %d, gradient of %s", SEED, level, name)
                .isLessThan(tolerance));
  }

  /**
   * Of 20 seeds and all schemes, the largest differences are 0.036 for qkv, 0.016 for tensors of 24
   * and more numbers and 0.20 for smaller ones: the gradient of a single number is a sum over all
   * queries and keys, and its terms almost cancel each other.
   */
  private static void requireCloseInBfloat16(
      AttentionCase example, AttentionKernels kernels, int level) {
    Map<String, float[]> found = gradients(example, kernels, level);
    gradients(example, float32, level)
        .forEach(
            (name, gradient) ->
                assertThat(difference(requireNonNull(found.get(name)), gradient))
                    .as("seed %d, level %d, gradient of %s", SEED, level, name)
                    .isLessThan(gradient.length < 24 ? 0.3 : 0.05));
  }

  @Test
  void staysCloseToTheReferenceInBfloat16() {
    AttentionCase example = example(37);
    for (int level = 0; level < checked.scheme().reach().levels(37); level++) {
      requireClose(attend(example, bfloat16, level), example.reference(level), 0.05f, level);
    }
  }

  @Test
  void gradientsStayCloseToThoseOfFloat32InBfloat16() {
    AttentionCase example = example(37);
    for (int level = 0; level < checked.scheme().reach().levels(37); level++) {
      requireCloseInBfloat16(example, bfloat16, level);
    }
  }

  @ParameterizedTest(name = "T = {0}")
  @ValueSource(ints = {1, 4, 9, 30})
  void prefixOfASequenceGivesThePrefixOfItsResult(int prefix) {
    AttentionCase whole = causalExample(Math.min(31, checked.longestWithoutScaling()));
    int read = Math.min(prefix, whole.length());
    for (int level = 0; level < checked.scheme().reach().levels(whole.length()); level++) {
      requireClose(
          attend(whole.prefix(read), float32, level),
          whole.prefixOfResult(attend(whole, float32, level), read),
          TestDevice.tolerance(1e-5),
          level);
    }
  }

  @Test
  void attentionByDistanceIsTheSameEverywhereInSequencesOfEveryLength() {
    assumeTrue(checked.scheme().attendsByDistance(), "scores do not depend on the distance alone");
    assertThat(checked.scheme().reach().levels(1_000_000)).isEqualTo(1);
    AttentionCase longer = causalExample(31);
    AttentionCase shorter = longer.prefix(9);
    for (int head = 0; head < AttentionCase.HEADS; head++) {
      for (int query = 0; query < 9; query++) {
        for (int key = 0; key <= query; key++) {
          assertThat(longer.score(head, query + 20, key + 20))
              .as("seed %d, head %d, query %d, key %d", SEED, head, query, key)
              .isCloseTo(shorter.score(head, query, key), within(1e-9));
        }
      }
    }
  }

  @Test
  void laterTokensChangeNothingEarlier() {
    AttentionCase original = causalExample(29);
    AttentionCase changed = original.withRandomTail(20, new Random(SEED + 1));
    for (int level = 0; level < checked.scheme().reach().levels(29); level++) {
      float[] before = attend(original, float32, level);
      float[] after = attend(changed, float32, level);
      requireClose(
          changed.prefixOfResult(after, 20),
          original.prefixOfResult(before, 20),
          TestDevice.tolerance(1e-6),
          level);
      assertThat(after).isNotEqualTo(before);
    }
  }

  @Test
  void laterTokensChangeEarlierResultsOnlyInBothDirections() {
    AttentionCase original = example(29);
    AttentionCase changed = original.withRandomTail(28, new Random(SEED + 1));
    float[] before = original.prefixOfResult(attend(original, float32, 0), 1);
    float[] after = changed.prefixOfResult(attend(changed, float32, 0), 1);
    assertThat(difference(after, before) < TestDevice.tolerance(1e-5))
        .isEqualTo(checked.isCausal());
  }

  @ParameterizedTest(name = "T = {0}")
  @ValueSource(ints = {1, 6, 11})
  void gradientsMatchFiniteDifferencesOfTheReference(int length) {
    AttentionCase example = example(length);
    for (int level = 0; level < checked.scheme().reach().levels(length); level++) {
      example.assertGradients(
          gradients(example, float32, level), level, "seed " + SEED + ", level " + level);
    }
  }

  @ParameterizedTest(name = "T = {0}")
  @ValueSource(ints = {257, 300})
  void gradientsBeyondOneBlockOfQueriesMatchFiniteDifferencesAtSomePlaces(int length) {
    AttentionCase example = example(length);
    for (int level :
        IntStream.of(0, checked.scheme().reach().levels(length) - 1).distinct().toArray()) {
      example.assertSomeGradients(
          gradients(example, float32, level), level, new Random(SEED + length));
    }
  }

  @ParameterizedTest(name = "K = {0}")
  @ValueSource(ints = {1, 2, 3, 5})
  void receptiveFieldEqualsThePositionsThatTheLastOneReachesFromKeyToKey(int layers) {
    for (int length : new int[] {1, 2, 3, 9, 10, 28, 41}) {
      assertThat(checked.scheme().reach().receptiveField(layers, length))
          .as("T = %d", length)
          .isEqualTo(causalExample(length).numReached(layers));
    }
  }

  /** The gradients of qkv and of each learnable tensor, by name. */
  static Map<String, float[]> gradients(
      AttentionCase example, AttentionKernels kernels, int level) {
    return gradients(example, kernels, level, Attention::begin);
  }

  private static Map<String, float[]> gradients(
      AttentionCase example, AttentionKernels kernels, int level, Attention.Provider form) {
    try (NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch");
        AttentionCase.Tensors tensors = example.tensors(manager, true)) {
      try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
        NDArray out =
            form.begin(
                    example.scheme(),
                    kernels.withGradient(),
                    tensors::bias,
                    pass(example),
                    tensors.qkv().getManager())
                .attend(tensors.qkv(), example.block(), level);
        collector.backward(out.mul(tensors.cotangent()).sum());
      }
      return tensors.gradients();
    }
  }

  /** The distance of two vectors, relative to the length of the second one if it exceeds 1. */
  private static double difference(float[] found, float[] expected) {
    double apart = 0;
    double all = 0;
    for (int i = 0; i < expected.length; i++) {
      apart += Math.pow(found[i] - expected[i], 2);
      all += Math.pow(expected[i], 2);
    }
    return Math.sqrt(apart / Math.max(1, all));
  }

  private AttentionCase example(int length) {
    return AttentionCase.random(checked.scheme(), length, checked.isCausal(), new Random(SEED))
        .with(checked.scheme(), checked.block());
  }

  private AttentionCase causalExample(int length) {
    return AttentionCase.random(checked.scheme(), length, true, new Random(SEED))
        .with(checked.scheme(), checked.block());
  }

  static float[] attend(AttentionCase example, AttentionKernels kernels, int level) {
    return attend(example, kernels, level, Attention::begin);
  }

  private static float[] attend(
      AttentionCase example, AttentionKernels kernels, int level, Attention.Provider form) {
    try (NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch");
        AttentionCase.Tensors tensors = example.tensors(manager, false)) {
      return form.begin(
              example.scheme(), kernels, tensors::bias, pass(example), tensors.qkv().getManager())
          .attend(tensors.qkv(), example.block(), level)
          .toFloatArray();
    }
  }

  static float[] attendNext(AttentionCase example, AttentionKernels kernels, int level) {
    try (NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch");
        AttentionCase.Tensors tensors = example.tensors(manager, false)) {
      NDArray q_B1d = tensors.qkv().get(new NDIndex(":, -1:, :{}", AttentionCase.WIDTH));
      NDArray kv_BT2d = tensors.qkv().get(new NDIndex(":, :, {}:", AttentionCase.WIDTH));
      return LastPositionAttention.begin(
              example.scheme(), kernels, tensors::bias, pass(example), manager)
          .attendNext(q_B1d.duplicate(), kv_BT2d.duplicate(), example.block(), level)
          .toFloatArray();
    }
  }

  private static Attention.Pass pass(AttentionCase example) {
    return new Attention.Pass(
        AttentionCase.HEADS, AttentionCase.HEAD_WIDTH, example.length(), example.causal());
  }
}
