package org.lengthwise.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.kernel.KernelModule;
import org.lengthwise.model.DecoderKernels.Affine;
import org.lengthwise.positional.attention.Numerics;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.TestDevice;
import org.lengthwise.training.safetensors.FloatFormat;

/**
 * Compares the loss in parts with autograd over all logits. The vocabulary is not a multiple of the
 * number of rows that fast products need, so it is padded.
 */
class DecoderKernelsIT {
  private static final long SEED = Long.getLong("lengthwise.test.seed", 20231206L);

  /** A power of two, so that division by it does not round; enough for padding. */
  private static final int ROWS = 16;

  private static final int WIDTH = 5;
  private static final int VOCABULARY = 11;

  private interface Loss {
    NDArray of(DecoderKernels kernels, List<NDArray> leaves, NDArray targets_N);
  }

  private static String where(int i) {
    return "seed %s, loss and gradients: %s".formatted(SEED, i);
  }

  @ParameterizedTest(name = "{0} rows at a time")
  @ValueSource(ints = {1, 5, 16, 100})
  void meanAndItsGradientsEqualThoseFromAllLogits(int rows) {
    float[][] expected = run(Precision.FLOAT32, ROWS, DecoderKernelsIT::throughAllLogits);
    float[][] found = run(Precision.FLOAT32, rows, DecoderKernelsIT::inParts);
    for (int i = 0; i < expected.length; i++) {
      assertArrayEquals(expected[i], found[i], TestDevice.tolerance(1e-6), where(i));
    }
  }

  @ParameterizedTest(name = "{0} rows at a time")
  @ValueSource(ints = {5, 16})
  void meanAndItsGradientsStayCloseInBfloat16(int rows) {
    float[][] expected = run(Precision.FLOAT32, ROWS, DecoderKernelsIT::throughAllLogits);
    float[][] found = run(Precision.BFLOAT16, rows, DecoderKernelsIT::inParts);
    for (int i = 0; i < expected.length; i++) {
      assertArrayEquals(expected[i], found[i], 0.03f, where(i));
    }
  }

  /**
   * Probabilities are rounded to 8 bits before their logarithm, not after. Each part rounds its
   * share of wte's gradient; the whole rounds once.
   */
  @ParameterizedTest(name = "{0} rows at a time")
  @ValueSource(ints = {16, 5})
  void meanAndItsGradientsAreNearThoseOfBfloat16AutogradThroughAllLogits(int rows) {
    float[][] expected = run(Precision.BFLOAT16, ROWS, DecoderKernelsIT::throughAllLogits);
    float[][] found = run(Precision.BFLOAT16, rows, DecoderKernelsIT::inParts);
    for (int i = 0; i < expected.length; i++) {
      assertArrayEquals(expected[i], found[i], 5e-3f, where(i));
    }
  }

  /** Likelihoods of 0.67 to 0.99994: the last ones are 1 if they are rounded to 8 bits. */
  @ParameterizedTest(name = "a logit of {0}")
  @ValueSource(floats = {3, 5, 7, 9, 12})
  void aTargetThatIsAlmostCertainKeepsItsLossAndGradientsInBfloat16(float logit) {
    Random random = new Random(SEED);
    float[] x = new float[4];
    float[] wte = new float[VOCABULARY * x.length];
    for (int i = 0; i < x.length; i++) {
      x[i] = i % 2 == 0 ? 1 : -1; // LayerNorm keeps it
      wte[i] = logit * x[i] / x.length;
    }
    for (int i = x.length; i < wte.length; i++) {
      wte[i] = (float) random.nextGaussian() / 4;
    }
    float[][] expected = certain(x, wte, DecoderKernelsIT::throughAllLogits);
    float[][] found = certain(x, wte, DecoderKernelsIT::inParts);
    for (int i = 0; i < expected.length; i++) {
      float largest = 0;
      for (float value : expected[i]) {
        largest = Math.max(largest, Math.abs(value));
      }
      assertThat(largest).as(where(i)).isPositive();
      assertArrayEquals(expected[i], found[i], largest / 64, where(i));
    }
  }

  private static float[][] certain(float[] x, float[] wte, Loss loss) {
    return run(
        kernels(Precision.BFLOAT16, 1),
        loss,
        manager ->
            List.of(
                manager.create(x, new Shape(1, x.length)),
                manager.ones(new Shape(x.length)),
                manager.zeros(new Shape(x.length)),
                manager.create(wte, new Shape(VOCABULARY, x.length))),
        manager -> manager.zeros(new Shape(1), DataType.INT64));
  }

  /**
   * The softmax of the loss replaces its logits. Engines choose other kernels for long rows, and
   * each must be able to do so.
   */
  @ParameterizedTest(name = "{0} tokens")
  @ValueSource(ints = {11, 1_000, 1_100, 9_000, 50_257})
  void longRowsOfLogitsGiveTheSameLossAndGradients(int vocabulary) {
    int rows = 64;
    float[][] expected =
        run(kernels(Precision.FLOAT32, rows), rows, vocabulary, DecoderKernelsIT::throughAllLogits);
    float[][] found =
        run(kernels(Precision.FLOAT32, rows), rows, vocabulary, DecoderKernelsIT::inParts);
    for (int i = 0; i < expected.length; i++) {
      assertThat(found[i])
          .as("seed %d, loss and gradients: %d", SEED, i)
          // Autograd adds the gradients of 13 parts of the longest rows; 3e-5 was seen.
          .containsExactly(expected[i], within(TestDevice.tolerance(5e-5)));
    }
  }

  @ParameterizedTest(name = "{0} rows at a time")
  @ValueSource(ints = {1, 5, 100})
  void likelihoodsDoNotDependOnTheRowsPerPass(int rows) {
    try (NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch");
        DecoderKernels whole = kernels(Precision.FLOAT32, ROWS);
        DecoderKernels parts = kernels(Precision.FLOAT32, rows)) {
      List<NDArray> leaves = leaves(manager, ROWS, VOCABULARY);
      NDArray targets_N = targets(manager, ROWS, VOCABULARY);
      assertArrayEquals(
          nll(whole, leaves, targets_N).toFloatArray(),
          nll(parts, leaves, targets_N).toFloatArray(),
          TestDevice.tolerance(1e-6));
    }
  }

  /** Rows of a matrix in 16 bits are widened part by part, without and with another last part. */
  @ParameterizedTest
  @CsvSource({"BF16, 4_100", "F16, 4_100", "BF16, 8_192", "BF16, 100"})
  void anOutputMatrixIn16BitsGivesTheSameNumbers(FloatFormat format, int vocabulary) {
    try (NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch");
        DecoderKernels kernels = kernels(Precision.FLOAT32, 7)) {
      NDArray narrow = kernels.matrix(manager.zeros(new Shape(1, 32)), vocabulary, format);
      float[] eighths = new float[vocabulary * 32];
      Random random = new Random(SEED);
      for (int i = 0; i < eighths.length; i++) {
        eighths[i] = random.nextInt(33) / 8f - 2; // every format has these numbers
      }
      NDArray wide = manager.create(eighths, new Shape(vocabulary, 32));
      kernels.setRows(narrow, wide, 0);
      NDArray x_Nd = manager.randomNormal(new Shape(ROWS, 32));
      Affine norm = new Affine(manager.ones(new Shape(32)), manager.zeros(new Shape(32)));
      NDArray targets_N = targets(manager, ROWS, vocabulary);
      // Products of the processor can depend on where an array begins in memory.
      assertThat(kernels.logits(x_Nd, norm, narrow).toFloatArray())
          .containsExactly(kernels.logits(x_Nd, norm, wide).toFloatArray(), within(5e-5f));
      float[] nlls = kernels.nll(x_Nd, norm, narrow, targets_N).toFloatArray();
      assertThat(nlls)
          .containsExactly(kernels.nll(x_Nd, norm, wide, targets_N).toFloatArray(), within(5e-5f))
          .containsExactly(
              kernels.labelNll(kernels.logits(x_Nd, norm, wide), targets_N).toFloatArray(),
              within(TestDevice.tolerance(1e-5)));
    }
  }

  /** A GPU pads the vocabulary to a multiple of 64, from 64 rows on. A CPU pads it to 16. */
  @ParameterizedTest
  @CsvSource({"FLOAT32, 1e-6", "BFLOAT16, 1e-3"})
  void thePaddedVocabularyOfAGpuChangesNothing(Precision precision, float tolerance) {
    int rows = 64;
    float[][] expected = run(kernels(precision, rows), rows, DecoderKernelsIT::inParts);
    KernelModule.Target gpu = new KernelModule.Target(true, 20701, false, false);
    float[][] found = run(kernels(precision, rows, gpu), rows, DecoderKernelsIT::inParts);
    for (int i = 0; i < expected.length; i++) {
      assertArrayEquals(expected[i], found[i], TestDevice.tolerance(tolerance), where(i));
    }
  }

  private static NDArray throughAllLogits(
      DecoderKernels kernels, List<NDArray> leaves, NDArray targets_N) {
    return nll(kernels.withGradient(), leaves, targets_N).mean();
  }

  private static NDArray inParts(DecoderKernels kernels, List<NDArray> leaves, NDArray targets_N) {
    Affine norm = new Affine(leaves.get(1), leaves.get(2));
    return kernels.meanNll(leaves.get(0), norm, leaves.get(3), targets_N);
  }

  private static NDArray nll(DecoderKernels kernels, List<NDArray> leaves, NDArray targets_N) {
    Affine norm = new Affine(leaves.get(1), leaves.get(2));
    return kernels.nll(leaves.get(0), norm, leaves.get(3), targets_N);
  }

  private static float[][] run(Precision precision, int rows, Loss loss) {
    return run(kernels(precision, rows), ROWS, loss);
  }

  private static float[][] run(DecoderKernels opened, int rows, Loss loss) {
    return run(opened, rows, VOCABULARY, loss);
  }

  private static float[][] run(DecoderKernels opened, int rows, int vocabulary, Loss loss) {
    return run(
        opened,
        loss,
        manager -> leaves(manager, rows, vocabulary),
        manager -> targets(manager, rows, vocabulary));
  }

  private static float[][] run(
      DecoderKernels opened,
      Loss loss,
      Function<NDManager, List<NDArray>> made,
      Function<NDManager, NDArray> targets) {
    try (NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch");
        DecoderKernels kernels = opened) {
      List<NDArray> leaves = made.apply(manager);
      leaves.forEach(leaf -> leaf.setRequiresGradient(true));
      try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
        NDArray mean = loss.of(kernels, leaves, targets.apply(manager));
        collector.backward(mean);
        float[][] values = new float[leaves.size() + 1][];
        values[0] = mean.toFloatArray();
        for (int i = 0; i < leaves.size(); i++) {
          values[i + 1] = leaves.get(i).getGradient().toFloatArray();
        }
        return values;
      }
    }
  }

  private static DecoderKernels kernels(Precision precision, int rows) {
    return kernels(precision, rows, KernelModule.Target.of(TestDevice.current()));
  }

  private static DecoderKernels kernels(Precision precision, int rows, KernelModule.Target target) {
    long mostLogits = (long) rows * VOCABULARY;
    return new DecoderKernels(
        DecoderForm.GPT2, TestDevice.current(), Numerics.of(precision), mostLogits, target);
  }

  /** x, the norm's weight and bias, wte. */
  private static List<NDArray> leaves(NDManager manager, int rows, int vocabulary) {
    Random random = new Random(SEED);
    return List.of(
        normal(manager, random, new Shape(rows, WIDTH)),
        normal(manager, random, new Shape(WIDTH)),
        normal(manager, random, new Shape(WIDTH)),
        normal(manager, random, new Shape(vocabulary, WIDTH)));
  }

  private static NDArray targets(NDManager manager, int rows, int vocabulary) {
    return manager.create(new Random(SEED).longs(rows, 0, vocabulary).toArray());
  }

  private static NDArray normal(NDManager manager, Random random, Shape shape) {
    float[] values = new float[Math.toIntExact(shape.size())];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return manager.create(values, shape);
  }
}
