package org.lengthwise.training.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import org.lengthwise.positional.attention.Attention;
import org.lengthwise.training.model.DecoderKernels.Affine;

/**
 * One distinct pre-LayerNorm block: attention, then an MLP of width 4d, each added to its input.
 *
 * @param index k
 * @param norm1 the LayerNorm before attention
 * @param qkv the projection to queries, keys and values [3d, d]
 * @param out the projection of the attended values [d, d]
 * @param norm2 the LayerNorm before the MLP
 * @param up the projection to the MLP's hidden width [4d, d]
 * @param down the projection back [d, 4d]
 */
record Block(
    int index, Affine norm1, Affine qkv, Affine out, Affine norm2, Affine up, Affine down) {

  static Block of(Weights weights, int k) {
    String name = ParameterLayout.block(k);
    return new Block(
        k,
        Affine.of(weights, name + "ln_1"),
        Affine.of(weights, name + "attn.c_attn"),
        Affine.of(weights, name + "attn.c_proj"),
        Affine.of(weights, name + "ln_2"),
        Affine.of(weights, name + "mlp.c_fc"),
        Affine.of(weights, name + "mlp.c_proj"));
  }

  /** [B, T, d] to [B, T, d], owned by the input's manager; what lies between is released. */
  NDArray forward(
      NDArray x_BTd, Attention attention, int level, DecoderKernels kernels, boolean records) {
    NDManager owner = x_BTd.getManager();
    try (NDManager layer = owner.newSubManager()) {
      NDArray qkv_BT3d = kernels.normLinear(x_BTd, norm1, qkv, records);
      qkv_BT3d.attach(layer);
      NDArray attended_BTd = attention.attend(qkv_BT3d, index, level);
      NDArray middle_BTd = kernels.addLinear(x_BTd, attended_BTd, out, records);
      middle_BTd.attach(layer);
      NDArray y_BTd = kernels.addMlp(middle_BTd, norm2, up, down, records);
      y_BTd.attach(owner);
      return y_BTd;
    }
  }
}
