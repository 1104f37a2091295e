package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import org.jspecify.annotations.Nullable;

/**
 * Attention to all earlier positions with a bias by distance.
 *
 * <p>Where the bias is learned and the pass records gradients, all layers share one bias [1, H, T,
 * T] in float32. On a CPU that is as much as the scores of a single sequence, of which each layer
 * keeps those of all sequences for the backward pass; on a GPU, whose fused kernels keep none, it
 * is the largest tensor of the pass where sequences are long and few. Everywhere else the bias is
 * never laid out.
 *
 * @param kernels the kernels of the device
 * @param table_HT the bias by head and distance
 * @param learned_1HTT the bias of all pairs, where its gradient is asked for
 * @param pass the shape of the pass
 */
record BiasedAttention(
    AttentionKernels kernels, NDArray table_HT, @Nullable NDArray learned_1HTT, Attention.Pass pass)
    implements SingleLevelAttention {

  static BiasedAttention of(AttentionKernels kernels, NDArray table_HT, Attention.Pass pass) {
    boolean learns = pass.recordsGradient() && table_HT.hasGradient();
    return new BiasedAttention(
        kernels, table_HT, learns ? kernels.bias(table_HT, true) : null, pass);
  }

  @Override
  public NDArray attend(NDArray qkv_BT3d, int block, int level) {
    return learned_1HTT == null
        ? kernels.denseInBlocks(qkv_BT3d, table_HT, pass.recordsGradient())
        : kernels.dense(qkv_BT3d, learned_1HTT);
  }

  @Override
  public NDArray attendSome(NDArray q_B1d, NDArray kv_BT2d, int block) {
    return kernels.denseLast(q_B1d, kv_BT2d, table_HT);
  }
}
