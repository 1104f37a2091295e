package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.index.NDIndex;
import org.lengthwise.positional.RegularGpt;

/**
 * RegularGPT's attention. In a pass for the last position, the keys of a query are adjacent rows at
 * every level, so all levels attend without dilation.
 *
 * @param kernels the kernels of the device
 * @param tensors each block's r
 * @param pass the shape of the pass
 */
record DilatedAttention(
    RegularGpt scheme, AttentionKernels kernels, Attention.Tensors tensors, Attention.Pass pass)
    implements SchemeAttention {

  @Override
  public NDArray attend(NDArray qkv_BT3d, int block, int level) {
    NDArray r_HC = tensors.get("r", block);
    return kernels.banded(qkv_BT3d, r_HC, scheme.dilation(level));
  }

  @Override
  public NDArray attendStrided(NDArray q_BSd, NDArray kv_BN2d, int block) {
    return kernels.slidingLast(q_BSd, kv_BN2d, tensors.get("r", block));
  }

  @Override
  public NDArray attendNext(NDArray q_B1d, NDArray kv_BT2d, int block, int level) {
    long last = kv_BT2d.getShape().get(1) - 1;
    long dilation = scheme.dilation(level);
    long first = last - dilation * Math.min(scheme.chunk() - 1, last / dilation);
    try (NDArray kv_BC2d = kv_BT2d.get(new NDIndex(":, {}::{}", first, dilation))) {
      return attendStrided(q_B1d, kv_BC2d, block);
    }
  }

  @Override
  public int stride(int rows) {
    return scheme.chunk();
  }

  /** A CPU keeps scores, because r is learned. */
  static AttentionMemory.Kept kept(RegularGpt scheme, int level, AttentionMemory memory) {
    return new AttentionMemory.Kept(
        memory.bandedBytes(scheme.chunk(), scheme.dilation(level), !memory.isGpu()), 0);
  }
}
