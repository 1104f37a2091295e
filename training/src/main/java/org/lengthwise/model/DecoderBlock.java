package org.lengthwise.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import org.lengthwise.model.DecoderKernels.Affine;
import org.lengthwise.positional.attention.Attention;
import org.lengthwise.positional.attention.LastPositionAttention;

/**
 * One distinct pre-LayerNorm block: attention, then an MLP of width 4d. Each is added to its input.
 *
 * @param index k
 * @param norm1 the LayerNorm before attention
 * @param qkv the projection to queries, keys and values [3d, d]
 * @param out the projection of the attended values [d, d]
 * @param norm2 the LayerNorm before the MLP
 * @param up the projection to the MLP's hidden width [4d, d]
 * @param down the projection back [d, 4d]
 */
record DecoderBlock(
    int index, Affine norm1, Affine qkv, Affine out, Affine norm2, Affine up, Affine down) {

  static DecoderBlock of(Weights weights, int k) {
    String name = ParameterLayout.block(k);
    return new DecoderBlock(
        k,
        Affine.of(weights, name + "ln_1"),
        Affine.of(weights, name + "attn.c_attn"),
        Affine.of(weights, name + "attn.c_proj"),
        Affine.of(weights, name + "ln_2"),
        Affine.of(weights, name + "mlp.c_fc"),
        Affine.of(weights, name + "mlp.c_proj"));
  }

  /** [B, T, d] to [B, T, d], owned by the input's manager. Intermediate tensors are released. */
  NDArray forward(
      NDArray x_BTd, Attention attention, int level, DecoderKernels kernels, boolean withGradient) {
    NDManager owner = x_BTd.getManager();
    try (NDManager layer = owner.newSubManager()) {
      NDArray qkv_BT3d = kernels.normLinear(x_BTd, norm1, qkv, withGradient);
      qkv_BT3d.attach(layer);
      NDArray attended_BTd = attention.attend(qkv_BT3d, index, level);
      NDArray middle_BTd = kernels.addLinear(x_BTd, attended_BTd, out, withGradient);
      middle_BTd.attach(layer);
      NDArray y_BTd = kernels.addMlp(middle_BTd, norm2, up, down, withGradient);
      y_BTd.attach(owner);
      return y_BTd;
    }
  }

  /** All rows of a level: [B, n, d] to [B, n, d], without a graph. */
  NDArray forward(NDArray x_BNd, LastPositionAttention attention, DecoderKernels kernels) {
    return forward(x_BNd, (qkv_BN3d, k, level) -> attention.attend(qkv_BN3d, k), 0, kernels, false);
  }

  /** The rows that the next level needs: [B, n, d] to [B, S, d], without a graph. */
  NDArray forwardStrided(NDArray x_BNd, LastPositionAttention attention, DecoderKernels kernels) {
    NDManager owner = x_BNd.getManager();
    int rows = Math.toIntExact(x_BNd.getShape().get(1));
    int stride = attention.stride(rows);
    long width = x_BNd.getShape().get(2);
    try (NDManager layer = owner.newSubManager()) {
      NDArray x_BSd = x_BNd.get(new NDIndex(":, {}::{}", (rows - 1) % stride, stride));
      x_BSd.attach(layer);
      NDArray q_BSd = kernels.normLinearPart(x_BSd, norm1, qkv, 0, width);
      NDArray kv_BN2d = kernels.normLinearPart(x_BNd, norm1, qkv, width, 3 * width);
      kv_BN2d.attach(layer);
      NDArray attended_BSd = attention.attendStrided(q_BSd, kv_BN2d, index);
      NDArray middle_BSd = kernels.addLinear(x_BSd, attended_BSd, out, false);
      NDArray y_BSd = kernels.addMlp(middle_BSd, norm2, up, down, false);
      y_BSd.attach(owner);
      return y_BSd;
    }
  }
}
