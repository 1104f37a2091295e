package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;

/**
 * Attention to all earlier positions, none preferred.
 *
 * @param kernels the kernels of the device
 * @param pass the shape of the pass
 */
record UnbiasedAttention(AttentionKernels kernels, Attention.Pass pass)
    implements SingleLevelAttention {

  @Override
  public NDArray attend(NDArray qkv_BT3d, int block, int level) {
    return kernels.causal(qkv_BT3d, pass.heads(), pass.recordsGradient());
  }

  @Override
  public NDArray attendSome(NDArray q_B1d, NDArray kv_BT2d, int block) {
    return kernels.causalLast(q_B1d, kv_BT2d, pass.heads());
  }
}
