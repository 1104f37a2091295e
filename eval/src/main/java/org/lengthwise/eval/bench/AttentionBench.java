package org.lengthwise.eval.bench;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.util.ArrayList;
import java.util.List;
import org.lengthwise.positional.attention.AttentionKernels;
import org.lengthwise.positional.attention.Precision;

/**
 * Sliding-dilated attention in its structured form against dense masked attention, mask building
 * included.
 *
 * @param sizes the shapes; B is 1
 * @param timer how passes are timed
 */
record AttentionBench(Sizes sizes, Interleaved timer) {

  /**
   * The shapes.
   *
   * @param chunk C
   * @param heads H
   * @param headWidth D
   * @param dilations the distances between neighbouring keys of a query
   * @param length T without gradients
   * @param lengthWithGradients T of a forward and backward pass
   */
  public record Sizes(
      int chunk,
      int heads,
      int headWidth,
      List<Long> dilations,
      int length,
      int lengthWithGradients) {
    /** Checks the values. */
    public Sizes {
      BenchConfig.requirePositive("chunk", chunk);
      BenchConfig.requirePositive("heads", heads);
      BenchConfig.requirePositive("head_width", headWidth);
      BenchConfig.requirePositive("length", length);
      BenchConfig.requirePositive("length_with_gradients", lengthWithGradients);
      dilations = List.copyOf(dilations);
      dilations.forEach(dilation -> BenchConfig.requirePositive("dilations", dilation));
    }
  }

  private interface Form {
    NDArray attend(NDArray qkv_BT3d, NDArray r_HC, long dilation, boolean recordsGradient);
  }

  /** Both forms at every shape. */
  List<BenchRow> run(Device device) {
    List<BenchRow> rows = new ArrayList<>();
    try (AttentionKernels kernels = new AttentionKernels(device, Precision.FLOAT32)) {
      for (boolean gradients : new boolean[] {false, true}) {
        for (long dilation : sizes.dilations()) {
          rows.addAll(rows(kernels, device, dilation, gradients));
        }
      }
    }
    return rows;
  }

  private List<BenchRow> rows(
      AttentionKernels kernels, Device device, long dilation, boolean gradients) {
    int length = gradients ? sizes.lengthWithGradients() : sizes.length();
    try (NDManager manager = NDManager.newBaseManager(device, "PyTorch")) {
      long width = (long) sizes.heads() * sizes.headWidth();
      NDArray qkv = normal(manager, new Shape(1, length, 3 * width));
      NDArray r = normal(manager, new Shape(sizes.heads(), sizes.chunk()));
      qkv.setRequiresGradient(gradients);
      r.setRequiresGradient(gradients);
      Operands operands = new Operands(qkv, r, dilation, gradients);
      double difference = largestDifference(kernels, operands);
      List<Interleaved.Timed> timed =
          timer.run(
              List.of(
                  Interleaved.Form.of("structured", () -> operands.pass(kernels::banded)),
                  Interleaved.Form.of("dense masks", () -> operands.pass(kernels::masked))));
      BenchRow.Subject subject =
          new BenchRow.Subject(
              Part.ATTENTION,
              "C = %d, dilation %d%s"
                  .formatted(sizes.chunk(), dilation, gradients ? ", with gradients" : ""),
              length,
              length);
      return List.of(
          subject.row(
              timed.get(0), List.of(BenchRow.compare(timed.get(0), timed.get(1), difference))),
          subject.row(timed.get(1), List.of()));
    }
  }

  private static double largestDifference(AttentionKernels kernels, Operands operands) {
    try (NDArray fast = kernels.banded(operands.qkv, operands.r, operands.dilation, false);
        NDArray slow = kernels.masked(operands.qkv, operands.r, operands.dilation, false);
        NDArray difference = fast.sub(slow);
        NDArray size = difference.abs();
        NDArray largest = size.max()) {
      return largest.getFloat();
    }
  }

  /** What both forms work on. */
  private record Operands(NDArray qkv, NDArray r, long dilation, boolean gradients) {

    double pass(Form form) {
      try (NDManager pass = qkv.getManager().newSubManager()) {
        if (gradients) {
          return withGradients(form, pass);
        }
        NDArray out = form.attend(qkv, r, dilation, false);
        out.attach(pass);
        return out.max().getFloat(); // waits for the device
      }
    }

    private double withGradients(Form form, NDManager pass) {
      try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
        NDArray out = form.attend(qkv, r, dilation, true);
        out.attach(pass);
        collector.backward(out.sum());
        NDArray gradient = r.getGradient();
        gradient.attach(pass);
        return gradient.sum().getFloat(); // waits for the device
      }
    }
  }

  private static NDArray normal(NDManager manager, Shape shape) {
    return manager.randomNormal(0, 1, shape, DataType.FLOAT32);
  }
}
