package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import org.lengthwise.positional.RegularGpt;

/**
 * RegularGPT's attention. Where the last position alone counts, the rows of a level are neighbours
 * among themselves, so every level attends without dilation.
 *
 * @param scheme the scheme
 * @param kernels the kernels of the device
 * @param tensors where each block's r is
 * @param pass the shape of the pass
 */
record DilatedAttention(
    RegularGpt scheme, AttentionKernels kernels, PositionalTensors tensors, Attention.Pass pass)
    implements Attention, LastPositionAttention {

  @Override
  public NDArray attend(NDArray qkv_BT3d, int block, int level) {
    NDArray r_HC = tensors.get("r", block);
    return kernels.banded(qkv_BT3d, r_HC, scheme.dilation(level), pass.recordsGradient());
  }

  @Override
  public NDArray attend(NDArray qkv_BN3d, int block) {
    return attend(qkv_BN3d, block, 0);
  }

  @Override
  public NDArray attendSome(NDArray q_BSd, NDArray kv_BN2d, int block) {
    return kernels.slidingLast(q_BSd, kv_BN2d, tensors.get("r", block));
  }

  @Override
  public int stride(int rows) {
    return scheme.chunk();
  }
}
