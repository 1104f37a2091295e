package org.lengthwise.positional.attention;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares sliding-dilated attention with its plain form. */
class StructuredAttentionIT {
  private static final int HEADS = 3;
  private static final int WIDTH = 24;
  private static final long SEED = Long.getLong("lengthwise.test.seed", 20231206L);

  @ParameterizedTest(name = "T = {0}, C = {1}, dilation = {2}")
  @CsvSource({
    "512,128,1",
    "512,128,128",
    "500,32,1",
    "500,32,32",
    "1000,8,8",
    "1000,8,64",
    "37,2,4",
    "37,3,9",
    "300,2,1",
    "1,5,1",
    "6,5,1",
    "257,16,16"
  })
  void equalsThePlainFormInValuesAndGradients(int length, int chunk, long dilation) {
    try (AttentionKernels kernels = new AttentionKernels(TestDevice.current(), Precision.FLOAT32);
        NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch")) {
      float[][] structured = run(manager, kernels.withGradient()::banded, length, chunk, dilation);
      float[][] dense = run(manager, kernels.withGradient()::plain, length, chunk, dilation);
      for (int i = 0; i < dense.length; i++) {
        assertArrayEquals(
            dense[i],
            structured[i],
            TestDevice.tolerance(1e-5),
            "seed %s, output, gradient of qkv, gradient of r: %s".formatted(SEED, i));
      }
    }
  }

  @ParameterizedTest(name = "T = {0}, C = {1}")
  @CsvSource({"512,128", "300,2", "300,37", "1,5", "5,5", "6,5", "700,600", "129,128", "191,128"})
  void equalsThePlainFormWithoutGradients(int length, int chunk) {
    try (AttentionKernels kernels = new AttentionKernels(TestDevice.current(), Precision.FLOAT32);
        NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch")) {
      Random random = new Random(SEED);
      NDArray qkv = random(manager, random, new Shape(2, length, 3 * WIDTH));
      NDArray r = random(manager, random, new Shape(HEADS, chunk));
      assertArrayEquals(
          kernels.plain(qkv, r, 1).toFloatArray(),
          kernels.banded(qkv, r, 1).toFloatArray(),
          TestDevice.tolerance(1e-5),
          "seed " + SEED);
    }
  }

  private interface Form {
    NDArray attend(NDArray qkv_BT3d, NDArray r_HC, long dilation);
  }

  private static float[][] run(NDManager manager, Form form, int length, int chunk, long dilation) {
    Random random = new Random(SEED);
    NDArray qkv = random(manager, random, new Shape(2, length, 3 * WIDTH));
    NDArray r = random(manager, random, new Shape(HEADS, chunk));
    NDArray cotangent = random(manager, random, new Shape(2, length, WIDTH));
    NDList leaves = new NDList(qkv, r);
    leaves.forEach(leaf -> leaf.setRequiresGradient(true));
    try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
      NDArray out = form.attend(qkv, r, dilation);
      // Scaled down so that sums over a thousand positions stay within an absolute tolerance.
      collector.backward(out.mul(cotangent).sum().div(Math.sqrt(length)));
      return new float[][] {
        out.toFloatArray(), qkv.getGradient().toFloatArray(), r.getGradient().toFloatArray()
      };
    }
  }

  private static NDArray random(NDManager manager, Random random, Shape shape) {
    float[] values = new float[Math.toIntExact(shape.size())];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return manager.create(values, shape);
  }
}
