package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;

/**
 * Attention without a bias.
 *
 * @param kernels the kernels of the device
 * @param pass the shape of the pass
 */
record UnbiasedAttention(AttentionKernels kernels, Attention.Pass pass) implements SchemeAttention {

  @Override
  public NDArray attend(NDArray qkv_BT3d, int block, int level) {
    return kernels.unbiased(qkv_BT3d, pass);
  }

  @Override
  public NDArray attendStrided(NDArray q_B1d, NDArray kv_BT2d, int block) {
    return kernels.unbiasedLast(q_B1d, kv_BT2d, pass.heads());
  }

  static AttentionMemory.Kept kept(AttentionMemory memory) {
    return new AttentionMemory.Kept(memory.fusedBytes(), 0);
  }
}
