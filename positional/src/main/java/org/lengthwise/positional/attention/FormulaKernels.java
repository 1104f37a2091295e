package org.lengthwise.positional.attention;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import org.lengthwise.kernel.KernelModule;
import org.lengthwise.positional.Formula;

/**
 * The kernels of one formula on one device. {@code formula.py} says how they work; {@link
 * org.lengthwise.positional.formula.KernelText} writes the part that computes the formula.
 *
 * @param heads H
 * @param headWidth D
 * @param module the loaded kernels, those of {@code attention.py} among them
 */
record FormulaKernels(Formula scheme, int heads, int headWidth, KernelModule module)
    implements AutoCloseable {

  static FormulaKernels load(
      Formula scheme, Attention.Pass pass, Device device, KernelModule.Target target) {
    String source =
        AttentionKernels.source("attention.py")
            + AttentionKernels.source("formula.py")
            + scheme.kernels(pass.heads(), pass.headWidth());
    KernelModule module = KernelModule.loadAlone(source, device, target);
    return new FormulaKernels(scheme, pass.heads(), pass.headWidth(), module);
  }

  /** These kernels with a graph of each result. Both share everything. */
  FormulaKernels withGradient() {
    return new FormulaKernels(scheme, heads, headWidth, module.withGradient());
  }

  boolean isFor(Formula other, Attention.Pass pass) {
    return heads == pass.heads() && headWidth == pass.headWidth() && scheme.equals(other);
  }

  /**
   * The parts of the formula without parameters, by distance. Later passes may compute gradients
   * with them, so they are no inference tensors.
   *
   * @param like any tensor on the device, which owns the results
   * @param numDistances the distances are 0..numDistances-1
   * @param length T
   * @param block the block of the model
   */
  NDList distances(NDArray like, int numDistances, int length, int block) {
    return module
        .withGradient()
        .run(
            "formula_distances",
            new NDList(
                like, module.scalar(numDistances), module.scalar(length), module.scalar(block)));
  }

  /** The bias by head and distance [H, n] from these parts and the parameters. */
  NDArray table(NDList parts, NDList parameters) {
    NDList inputs = list("c[]", parts);
    inputs.addAll(list("p[]", parameters));
    return module.run("formula_table", inputs).singletonOrThrow();
  }

  /** Attention with a bias that is computed for one block of queries at a time. */
  NDArray attend(String kernel, NDArray qkv_BT3d, NDList parameters, int block, int queries) {
    NDList inputs = new NDList(qkv_BT3d);
    inputs.addAll(list("p[]", parameters));
    inputs.add(module.scalar(heads));
    inputs.add(module.scalar(block));
    inputs.add(module.scalar(queries));
    return module.run(kernel, inputs).singletonOrThrow();
  }

  /** Attention of the last position. */
  NDArray last(NDArray q_B1d, NDArray kv_BT2d, NDList parameters, int block) {
    NDList inputs = new NDList(q_B1d, kv_BT2d);
    inputs.addAll(list("p[]", parameters));
    inputs.add(module.scalar(block));
    return module.run("formula_last", inputs).singletonOrThrow();
  }

  /** Tensors of one list argument, which the engine finds by their name. */
  private static NDList list(String name, NDList tensors) {
    tensors.forEach(tensor -> tensor.setName(name));
    return new NDList(tensors);
  }

  @Override
  public void close() {
    module.close();
  }
}
