package org.lengthwise.eval.bench;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.util.ArrayList;
import java.util.List;
import org.lengthwise.positional.attention.AttentionKernels;
import org.lengthwise.positional.attention.PlainKernels;
import org.lengthwise.positional.attention.Precision;

/**
 * Sliding-dilated attention in its structured form against dense masked attention, mask building
 * included.
 *
 * @param sizes the shapes; B is 1
 * @param precision the format of the products
 * @param timer how passes are timed
 */
record AttentionBench(Sizes sizes, Precision precision, Interleaved timer) {
  private static final String REFERENCE = "dense masks";

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

  /** Both forms at every shape. */
  List<BenchRow> run(Device device) {
    List<BenchRow> rows = new ArrayList<>();
    try (AttentionKernels kernels = new AttentionKernels(device, precision)) {
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
      NDList leaves = new NDList();
      leaves.add(normal(manager, new Shape(1, length, 3 * width)));
      leaves.add(normal(manager, new Shape(sizes.heads(), sizes.chunk())));
      leaves.forEach(leaf -> leaf.setRequiresGradient(gradients));
      AttentionPass pass = new AttentionPass(leaves, 1, gradients);
      AttentionPass.Form structured =
          (on, owner) -> (qkv, block, level) -> kernels.banded(qkv, on.get(1), dilation, gradients);
      PlainKernels plain = new PlainKernels(kernels);
      AttentionPass.Form dense =
          (on, owner) -> (qkv, block, level) -> plain.masked(qkv, on.get(1), dilation, gradients);
      String name =
          "C = %d, dilation %d%s"
              .formatted(sizes.chunk(), dilation, gradients ? ", with gradients" : "");
      return new BenchRow.Subject(Part.ATTENTION, name, length, length)
          .rows(
              timer.run(
                  List.of(
                      Interleaved.Form.of("structured", () -> pass.run(structured))
                          .against(REFERENCE, () -> pass.difference(structured, dense)),
                      Interleaved.Form.of(REFERENCE, () -> pass.run(dense)))));
    }
  }

  private static NDArray normal(NDManager manager, Shape shape) {
    return manager.randomNormal(0, 1, shape, DataType.FLOAT32);
  }
}
