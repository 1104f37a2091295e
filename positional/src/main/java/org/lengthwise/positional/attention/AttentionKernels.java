package org.lengthwise.positional.attention;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import org.lengthwise.positional.BiasParameter;
import org.lengthwise.positional.kernel.KernelModule;

/**
 * The attention kernels of one device. Queries, keys and values arrive side by side as qkv [B, T,
 * 3d] float32, as one projection makes them; results are [B, T, d] float32.
 *
 * @see KernelModule
 */
public final class AttentionKernels implements AutoCloseable {
  private final KernelModule module;
  private final Precision precision;

  /**
   * Loads the kernels.
   *
   * @param device where they run
   * @param precision the format of the products inside
   */
  public AttentionKernels(Device device, Precision precision) {
    this.module = KernelModule.load(AttentionKernels.class, "attention.py", device);
    this.precision = precision;
  }

  /**
   * Causal attention without a bias.
   *
   * @param qkv_BT3d queries, keys and values
   * @param heads H
   * @param recordsGradient whether a backward pass will follow
   * @return the attended values [B, T, d]
   */
  NDArray causal(NDArray qkv_BT3d, int heads, boolean recordsGradient) {
    return run("causal", recordsGradient, qkv_BT3d, module.scalar(heads), half());
  }

  /**
   * The bias of every pair of positions.
   *
   * @param table_HT the bias by head and distance
   * @param recordsGradient whether a backward pass will follow
   * @return the bias [1, H, T, T], -1e30 where the key lies in the future
   */
  NDArray bias(NDArray table_HT, boolean recordsGradient) {
    return run("bias", recordsGradient, table_HT);
  }

  /**
   * Attention with an additive bias.
   *
   * @param qkv_BT3d queries, keys and values
   * @param bias_1HTT the bias, causal mask included
   * @param block the number of queries that share a run over the keys
   * @param recordsGradient whether a backward pass will follow
   * @return the attended values [B, T, d]
   */
  NDArray dense(NDArray qkv_BT3d, NDArray bias_1HTT, int block, boolean recordsGradient) {
    return run("dense", recordsGradient, qkv_BT3d, bias_1HTT, module.scalar(block), half());
  }

  /**
   * Attention with an additive bias that is laid out for one block of queries at a time.
   *
   * @param qkv_BT3d queries, keys and values
   * @param table_HT the bias by head and distance
   * @param block the number of queries in a block
   * @param recordsGradient whether a backward pass will follow
   * @return the attended values [B, T, d]
   */
  NDArray denseInBlocks(NDArray qkv_BT3d, NDArray table_HT, int block, boolean recordsGradient) {
    return run(
        "dense_in_blocks", recordsGradient, qkv_BT3d, table_HT, module.scalar(block), half());
  }

  /**
   * Sliding-dilated attention.
   *
   * @param qkv_BT3d queries, keys and values
   * @param r_HC the bias by head and step
   * @param dilation the distance between neighbouring keys of a query
   * @param recordsGradient whether a backward pass will follow
   * @return the attended values [B, T, d]
   */
  public NDArray banded(NDArray qkv_BT3d, NDArray r_HC, long dilation, boolean recordsGradient) {
    return run("banded", recordsGradient, qkv_BT3d, r_HC, module.scalar(dilation), half());
  }

  /**
   * Sliding-dilated attention by a T x T matrix of scores: slow and obvious, to hold {@link
   * #banded} against.
   *
   * @param qkv_BT3d queries, keys and values
   * @param r_HC the bias by head and step
   * @param dilation the distance between neighbouring keys of a query
   * @param recordsGradient whether a backward pass will follow
   * @return the attended values [B, T, d]
   */
  public NDArray masked(NDArray qkv_BT3d, NDArray r_HC, long dilation, boolean recordsGradient) {
    return run("masked", recordsGradient, qkv_BT3d, r_HC, module.scalar(dilation), half());
  }

  /**
   * Moves values into an interval; the gradient passes inside it and on its ends.
   *
   * @param values any tensor
   * @param bounds the interval
   * @param recordsGradient whether a backward pass will follow
   * @return a tensor of the same shape
   */
  NDArray clamp(NDArray values, BiasParameter.Bounds bounds, boolean recordsGradient) {
    return run(
        "clamp",
        recordsGradient,
        values,
        module.scalar(bounds.low()),
        module.scalar(bounds.high()));
  }

  private NDArray half() {
    return module.scalar(precision == Precision.BFLOAT16);
  }

  private NDArray run(String method, boolean recordsGradient, NDArray... inputs) {
    return module.run(method, recordsGradient, inputs).singletonOrThrow();
  }

  @Override
  public void close() {
    module.close();
  }
}
