package org.lengthwise.eval.bench;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.util.Arrays;
import org.lengthwise.positional.attention.AttentionKernels;
import org.lengthwise.positional.attention.Precision;

/**
 * Sliding-dilated attention in its structured form against dense masked attention, mask building
 * included, at one shape.
 *
 * @param shape the shape
 * @param repetitions how often each form is timed
 */
public record AttentionBench(Case shape, int repetitions) {
  private static final double NANOS_PER_MILLISECOND = 1e6;

  /**
   * A shape; B is 1.
   *
   * @param length T
   * @param chunk C
   * @param dilation the distance between neighbouring keys of a query
   * @param heads H
   * @param headWidth D
   * @param withGradients whether the backward pass is timed too
   */
  public record Case(
      int length, int chunk, long dilation, int heads, int headWidth, boolean withGradients) {}

  /**
   * What was measured.
   *
   * @param shape the shape
   * @param structuredMilliseconds the median of the structured form
   * @param denseMilliseconds the median of the dense masked form
   * @param ratio how many times faster the structured form is
   * @param largestDifference the largest absolute difference of the two results
   */
  public record Row(
      Case shape,
      double structuredMilliseconds,
      double denseMilliseconds,
      double ratio,
      double largestDifference) {}

  private interface Form {
    NDArray attend(NDArray qkv_BT3d, NDArray r_HC, long dilation, boolean recordsGradient);
  }

  /**
   * Measures.
   *
   * @param device where to run
   * @return medians over alternating repetitions after one of each to warm up
   */
  public Row run(Device device) {
    try (AttentionKernels kernels = new AttentionKernels(device, Precision.FLOAT32);
        NDManager manager = NDManager.newBaseManager(device, "PyTorch")) {
      int width = shape.heads() * shape.headWidth();
      NDArray qkv = normal(manager, new Shape(1, shape.length(), 3L * width));
      NDArray r = normal(manager, new Shape(shape.heads(), shape.chunk()));
      qkv.setRequiresGradient(shape.withGradients());
      r.setRequiresGradient(shape.withGradients());
      double difference = largestDifference(kernels, qkv, r);
      double[] structured = new double[repetitions];
      double[] dense = new double[repetitions];
      for (int i = 0; i < repetitions; i++) {
        structured[i] = milliseconds(kernels::banded, qkv, r);
        dense[i] = milliseconds(kernels::masked, qkv, r);
      }
      double fast = median(structured);
      double slow = median(dense);
      return new Row(shape, fast, slow, slow / fast, difference);
    }
  }

  private double largestDifference(AttentionKernels kernels, NDArray qkv, NDArray r) {
    try (NDArray fast = kernels.banded(qkv, r, shape.dilation(), false);
        NDArray slow = kernels.masked(qkv, r, shape.dilation(), false)) {
      return fast.sub(slow).abs().max().getFloat();
    }
  }

  private double milliseconds(Form form, NDArray qkv, NDArray r) {
    long start = System.nanoTime();
    if (shape.withGradients()) {
      try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector();
          NDArray out = form.attend(qkv, r, shape.dilation(), true)) {
        collector.backward(out.sum());
        r.getGradient().sum().getFloat(); // waits for the device
      }
    } else {
      try (NDArray out = form.attend(qkv, r, shape.dilation(), false)) {
        out.max().getFloat(); // waits for the device
      }
    }
    return (System.nanoTime() - start) / NANOS_PER_MILLISECOND;
  }

  private static NDArray normal(NDManager manager, Shape shape) {
    return manager.randomNormal(0, 1, shape, DataType.FLOAT32);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
