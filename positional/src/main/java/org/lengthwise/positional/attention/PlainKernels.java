package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;

/**
 * Attention over a bias of all pairs of positions, most of them forbidden: slow and obvious, to
 * hold the other kernels against. Results are [B, T, d] float32.
 *
 * @param kernels the kernels of a device, among which these are
 */
public record PlainKernels(AttentionKernels kernels) {

  /**
   * Sliding-dilated attention as one would write it with libtorch: a mask of all pairs, given to
   * its fused attention. Unlike {@link #attend} it never holds all scores, so it goes as far as its
   * mask does, and is the faster form to be measured against.
   *
   * @param qkv_BT3d queries, keys and values
   * @param r_HC the bias by head and step
   * @param dilation the distance between neighbouring keys of a query
   * @param recordsGradient whether a backward pass will follow
   * @return the attended values [B, T, d]
   */
  public NDArray masked(NDArray qkv_BT3d, NDArray r_HC, long dilation, boolean recordsGradient) {
    return byDistance("masked", qkv_BT3d, r_HC, dilation, recordsGradient);
  }

  /**
   * Attention with a bias by steps of a dilation, as its formula is written: all scores at once.
   *
   * @param qkv_BT3d queries, keys and values
   * @param table_HN the bias by head and step; keys further off are not attended to
   * @param dilation the distance between neighbouring keys of a query
   * @param recordsGradient whether a backward pass will follow
   * @return the attended values [B, T, d]
   */
  NDArray attend(NDArray qkv_BT3d, NDArray table_HN, long dilation, boolean recordsGradient) {
    return byDistance("plain", qkv_BT3d, table_HN, dilation, recordsGradient);
  }

  private NDArray byDistance(
      String method, NDArray qkv_BT3d, NDArray table, long dilation, boolean recordsGradient) {
    return kernels.run(
        method, recordsGradient, qkv_BT3d, table, kernels.scalar(dilation), kernels.half());
  }

  /** What {@link AttentionKernels#rotary} computes, with all scores at once. */
  NDArray rotary(NDArray qkv_BT3d, int heads, Rotations rotations, boolean recordsGradient) {
    NDArray[] inputs = kernels.rotaryInputs(qkv_BT3d, heads, rotations);
    return kernels.run("plain_rotary", recordsGradient, inputs);
  }

  /** What {@link AttentionKernels#fire} computes, with all scores at once. */
  NDArray fire(NDArray qkv_BT3d, NDList fire, int block, boolean recordsGradient) {
    return kernels.run("plain_fire", recordsGradient, kernels.fireInputs(qkv_BT3d, fire, block));
  }
}
