package org.lengthwise.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.Optional;
import org.lengthwise.model.DecoderKernels.Affine;
import org.lengthwise.positional.attention.Attention;
import org.lengthwise.positional.attention.LastPositionAttention;

/**
 * One distinct block: attention, then an MLP of width 4d. Each is added to its input.
 *
 * @param index k
 * @param form where LayerNorm is, and the activation of the MLP
 * @param norm1 the LayerNorm of attention
 * @param qkv the projection to queries, keys and values [3d, d]
 * @param out the projection of the attended values [d, d]
 * @param norm2 the LayerNorm of the MLP
 * @param up the projection to the MLP's hidden width [4d, d]
 * @param down the projection back [d, 4d]
 * @param pad_d the row at every position before the start, if there is one
 */
record DecoderBlock(
    int index,
    DecoderForm form,
    Affine norm1,
    Affine qkv,
    Affine out,
    Affine norm2,
    Affine up,
    Affine down,
    Optional<NDArray> pad_d) {

  static DecoderBlock of(Weights weights, ModelConfig config, int k) {
    String name = ParameterLayout.block(k);
    boolean hasBias = config.form().attentionBias();
    return new DecoderBlock(
        k,
        config.form(),
        Affine.of(weights, name + "ln_1"),
        Affine.of(weights, name + "attn.c_attn", hasBias),
        Affine.of(weights, name + "attn.c_proj", hasBias),
        Affine.of(weights, name + "ln_2"),
        Affine.of(weights, name + "mlp.c_fc"),
        Affine.of(weights, name + "mlp.c_proj"),
        Optional.ofNullable(weights.tensors().get(name + "attn.pad")));
  }

  /**
   * [B, T, d] to [B, T, d], owned by the input's manager. Intermediate tensors are released.
   *
   * @param padding the number of positions before the start that a query reads
   */
  NDArray forward(
      NDArray x_BTd,
      Attention attention,
      int level,
      long padding,
      DecoderKernels kernels,
      boolean withGradient) {
    NDManager owner = x_BTd.getManager();
    try (NDManager layer = owner.newSubManager()) {
      NDArray padded_BPd = padded(x_BTd, padding, kernels, withGradient, layer);
      NDArray qkv_BP3d = qkv(padded_BPd, kernels, withGradient);
      qkv_BP3d.attach(layer);
      NDArray attended_BTd = attention.attend(qkv_BP3d, index, level);
      if (padding > 0) {
        attended_BTd = kernels.every(attended_BTd, padding, 1, withGradient);
      }
      return finish(x_BTd, attended_BTd, kernels, withGradient, layer, owner);
    }
  }

  /** Queries, keys and values side by side: [B, T, d] to [B, T, 3d]. */
  NDArray qkv(NDArray x_BTd, DecoderKernels kernels, boolean withGradient) {
    return isPost()
        ? kernels.linear(x_BTd, qkv, withGradient)
        : kernels.normLinear(x_BTd, norm1, qkv, withGradient);
  }

  /** All rows of a level: [B, n, d] to [B, n, d]. */
  NDArray forward(
      NDArray x_BNd,
      LastPositionAttention attention,
      long padding,
      DecoderKernels kernels,
      boolean withGradient) {
    return forward(
        x_BNd,
        (qkv_BN3d, k, level) -> attention.attend(qkv_BN3d, k),
        0,
        padding,
        kernels,
        withGradient);
  }

  /** The rows that the next level needs: [B, n, d] to [B, S, d]. */
  NDArray forwardStrided(
      NDArray x_BNd,
      LastPositionAttention attention,
      DecoderKernels kernels,
      boolean withGradient) {
    NDManager owner = x_BNd.getManager();
    int rows = Math.toIntExact(x_BNd.getShape().get(1));
    int stride = attention.stride(rows);
    long width = x_BNd.getShape().get(2);
    try (NDManager layer = owner.newSubManager()) {
      NDArray x_BSd = kernels.every(x_BNd, (rows - 1) % stride, stride, withGradient);
      x_BSd.attach(layer);
      long missing = pad_d.isPresent() ? (stride - rows % stride) % stride : 0;
      NDArray padded_BPd = padded(x_BNd, missing, kernels, withGradient, layer);
      NDArray q_BSd = part(x_BSd, 0, width, kernels, withGradient);
      NDArray kv_BP2d = part(padded_BPd, width, 3 * width, kernels, withGradient);
      kv_BP2d.attach(layer);
      NDArray attended_BSd = attention.attendStrided(q_BSd, kv_BP2d, index);
      return finish(x_BSd, attended_BSd, kernels, withGradient, layer, owner);
    }
  }

  private boolean isPost() {
    return form.norm() == DecoderForm.Norm.POST;
  }

  private NDArray padded(
      NDArray x_BNd, long rows, DecoderKernels kernels, boolean withGradient, NDManager layer) {
    if (rows == 0) {
      return x_BNd;
    }
    NDArray padded_BPd = kernels.padFront(x_BNd, pad_d.orElseThrow(), rows, withGradient);
    padded_BPd.attach(layer);
    return padded_BPd;
  }

  private NDArray part(
      NDArray x_BNd, long first, long end, DecoderKernels kernels, boolean withGradient) {
    return isPost()
        ? kernels.linearPart(x_BNd, qkv, first, end, withGradient)
        : kernels.normLinearPart(x_BNd, norm1, qkv, first, end, withGradient);
  }

  /** Adds the attended values and the MLP to x. */
  NDArray finish(
      NDArray x_BTd,
      NDArray attended_BTd,
      DecoderKernels kernels,
      boolean withGradient,
      NDManager layer,
      NDManager owner) {
    boolean isRelu = form.activation() == DecoderForm.Activation.RELU;
    NDArray middle_BTd =
        isPost()
            ? kernels.addLinearNorm(x_BTd, attended_BTd, out, norm1, withGradient)
            : kernels.addLinear(x_BTd, attended_BTd, out, withGradient);
    middle_BTd.attach(layer);
    NDArray y_BTd =
        isPost()
            ? kernels.addMlpNorm(middle_BTd, norm2, up, down, isRelu, withGradient)
            : kernels.addMlp(middle_BTd, norm2, up, down, isRelu, withGradient);
    y_BTd.attach(owner);
    return y_BTd;
  }
}
