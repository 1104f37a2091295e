package org.lengthwise.bench;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.util.ArrayList;
import java.util.List;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.positional.attention.AttentionKernels;
import org.lengthwise.positional.attention.Precision;

/**
 * Sliding-dilated attention in its structured form against dense attention with a mask. The time
 * includes the building of the mask.
 *
 * @param sizes the shapes; B is 1
 * @param precision the format of the products
 */
record AttentionBench(Sizes sizes, Precision precision, RoundRobinTimer timer) {
  private static final String REFERENCE = "dense masks";

  /**
   * The shapes of the part attention.
   *
   * @param chunk C, the number of keys of a query
   * @param heads H, the number of heads
   * @param headWidth D, the width of a head
   * @param dilations the distances between neighbouring keys of a query, one workload for each
   * @param length T without gradients
   * @param lengthWithGradients T of a forward and backward pass
   */
  public record Sizes(
      @Unit("positions") int chunk,
      int heads,
      int headWidth,
      @Unit("positions") List<Long> dilations,
      @Unit("positions") int length,
      @Unit("positions") int lengthWithGradients) {
    /** Requires positive numbers. */
    public Sizes {
      Checks.atLeast("chunk", chunk, 1);
      Checks.atLeast("heads", heads, 1);
      Checks.atLeast("head_width", headWidth, 1);
      Checks.atLeast("length", length, 1);
      Checks.atLeast("length_with_gradients", lengthWithGradients, 1);
      dilations = List.copyOf(dilations);
      dilations.forEach(dilation -> Checks.atLeast("dilations", dilation, 1));
    }
  }

  /** Both variants at every dilation, without and with gradients. */
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
      AttentionKernels modes = gradients ? kernels.withGradient() : kernels;
      AttentionPass.Setup structured =
          (on, owner) -> (qkv, block, level) -> modes.banded(qkv, on.get(1), dilation);
      AttentionPass.Setup dense =
          (on, owner) -> (qkv, block, level) -> modes.masked(qkv, on.get(1), dilation);
      String name =
          "C = %s, dilation %s%s"
              .formatted(sizes.chunk(), dilation, gradients ? ", with gradients" : "");
      return new BenchRow.Workload(BenchPart.ATTENTION, name, length, length)
          .rows(
              timer.run(
                  List.of(
                      RoundRobinTimer.Variant.of("structured", () -> pass.run(structured))
                          .against(REFERENCE, () -> pass.difference(structured, dense)),
                      RoundRobinTimer.Variant.of(REFERENCE, () -> pass.run(dense)))));
    }
  }

  private static NDArray normal(NDManager manager, Shape shape) {
    return manager.randomNormal(0, 1, shape, DataType.FLOAT32);
  }
}
