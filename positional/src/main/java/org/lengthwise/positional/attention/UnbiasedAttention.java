package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;

/** Attention without a bias. */
record UnbiasedAttention(AttentionKernels kernels, Attention.Pass pass) implements SchemeAttention {

  @Override
  public boolean suitsCudnn() {
    return true;
  }

  @Override
  public NDArray attend(NDArray qkv_BT3d, int block, int level) {
    return attend(pass.causal() ? "causal" : "both_directions", qkv_BT3d);
  }

  /** {@link #attend} with all scores at once. */
  NDArray attendPlainly(NDArray qkv_BT3d) {
    return attend(pass.causal() ? "plain_causal" : "plain_both_directions", qkv_BT3d);
  }

  private NDArray attend(String kernel, NDArray qkv_BT3d) {
    return kernels.run(kernel, qkv_BT3d, kernels.scalar(pass.heads()));
  }

  @Override
  public NDArray attendStrided(NDArray q_B1d, NDArray kv_BT2d, int block) {
    return kernels.run("unbiased_last", q_B1d, kv_BT2d, kernels.scalar(pass.heads()));
  }

  static AttentionMemory.Kept kept(AttentionMemory memory) {
    return new AttentionMemory.Kept(memory.fusedBytes(), 0);
  }
}
