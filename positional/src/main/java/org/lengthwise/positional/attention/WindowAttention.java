package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.index.NDIndex;

/**
 * Attention to the last W positions.
 *
 * @param kernels the kernels of the device
 * @param bias_HW the bias by head and distance
 * @param pass the shape of the pass
 */
record WindowAttention(AttentionKernels kernels, NDArray bias_HW, Attention.Pass pass)
    implements SingleLevelAttention {

  @Override
  public NDArray attend(NDArray qkv_BT3d, int block, int level) {
    return kernels.banded(qkv_BT3d, bias_HW, 1, pass.recordsGradient());
  }

  @Override
  public NDArray attendSome(NDArray q_B1d, NDArray kv_BT2d, int block) {
    long rows = kv_BT2d.getShape().get(1);
    long first = Math.max(0, rows - bias_HW.getShape().get(1));
    try (NDArray window_BW2d = kv_BT2d.get(new NDIndex(":, {}:", first))) {
      return kernels.slidingLast(q_B1d, window_BW2d, bias_HW);
    }
  }

  @Override
  public int reach(int blocks) {
    long before = blocks * (bias_HW.getShape().get(1) - 1);
    return (int) Math.min(Integer.MAX_VALUE, before + 1);
  }
}
