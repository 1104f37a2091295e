package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;

/**
 * Attention of queries and keys that are turned by their positions.
 *
 * @param kernels the kernels of the device
 * @param rotations the turns of every position, which all layers share
 * @param pass the shape of the pass
 */
record RotaryAttention(AttentionKernels kernels, Rotations rotations, Attention.Pass pass)
    implements SingleLevelAttention {

  @Override
  public NDArray attend(NDArray qkv_BT3d, int block, int level) {
    return kernels.rotary(qkv_BT3d, pass.heads(), rotations, pass.recordsGradient());
  }

  @Override
  public NDArray attendSome(NDArray q_B1d, NDArray kv_BT2d, int block) {
    return kernels.rotaryLast(q_B1d, kv_BT2d, pass.heads(), rotations);
  }
}
