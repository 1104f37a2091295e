package org.lengthwise.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Optional;
import org.lengthwise.model.DecoderKernels.Affine;
import org.lengthwise.model.DecoderKernels.HeadShape;
import org.lengthwise.positional.attention.Attention;
import org.lengthwise.positional.attention.LastPositionAttention;

/**
 * One distinct block: attention and an MLP. Each is added to the residual stream as the form of the
 * decoder says.
 *
 * @param index k
 * @param qkv the projection to queries, keys and values [H D + 2 G D, d]
 * @param queries H D
 * @param keys G D
 * @param carried the projection to what each position carries behind its values [E, d], if anything
 * @param heads what is done with queries, keys and values before attention, if anything
 * @param out the projection of the attended values [d, H D]
 * @param norm2 the norm of the MLP
 * @param up the projection to the MLP's inner width [F, d], or [2 F, d] with a gate
 * @param down the projection back [d, F]
 * @param pad_d the row at every position before the start, if there is one
 */
record DecoderBlock(
    int index,
    DecoderForm form,
    Affine norm1,
    Affine qkv,
    long queries,
    long keys,
    Optional<Affine> carried,
    Optional<HeadShape> heads,
    Affine out,
    Affine norm2,
    Affine up,
    Affine down,
    Optional<NDArray> pad_d) {

  static DecoderBlock of(Weights weights, ModelConfig config, int k) {
    String name = ParameterLayout.block(k);
    return new DecoderBlock(
        k,
        config.form(),
        Affine.of(weights, name + "ln_1"),
        Affine.of(weights, name + "attn.c_attn"),
        config.attentionWidth(),
        config.keyWidth(),
        config.numCarried(k) > 0
            ? Optional.of(Affine.of(weights, name + "attn.c_f"))
            : Optional.empty(),
        heads(weights, config, name),
        Affine.of(weights, name + "attn.c_proj"),
        Affine.of(weights, name + "ln_2"),
        Affine.of(weights, name + "mlp.c_fc"),
        Affine.of(weights, name + "mlp.c_proj"),
        Optional.ofNullable(weights.tensors().get(name + "attn.pad")));
  }

  private static Optional<HeadShape> heads(Weights weights, ModelConfig config, String name) {
    HeadForm form = config.form().attention();
    if (form.isPlain()) {
      return Optional.empty();
    }
    double factor = form.scale() == 0 ? 1 : form.scale() * Math.sqrt(config.headWidth());
    return Optional.of(
        new HeadShape(
            headNorm(weights, form, name + "attn.q_norm.weight"),
            headNorm(weights, form, name + "attn.k_norm.weight"),
            form.clip(),
            factor));
  }

  private static NDArray headNorm(Weights weights, HeadForm form, String name) {
    return form.queryKeyNorm()
        ? weights.get(name)
        : weights.get("transformer.wte.weight").getManager().zeros(new Shape(0));
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
      NDArray qkv_BPf = qkv(padded_BPd, kernels, withGradient);
      qkv_BPf.attach(layer);
      NDArray attended_BTd = attention.attend(qkv_BPf, index, level);
      if (padding > 0) {
        attended_BTd = kernels.every(attended_BTd, padding, 1, withGradient);
      }
      return finish(x_BTd, attended_BTd, kernels, withGradient, layer, owner);
    }
  }

  /** Queries, keys, values and what positions carry: [B, T, d] to [B, T, H D + 2 G D + E]. */
  NDArray qkv(NDArray x_BTd, DecoderKernels kernels, boolean withGradient) {
    NDArray shaped_BTf =
        shaped(project(x_BTd, qkv, kernels, withGradient), queries, keys, kernels, withGradient);
    return carrying(shaped_BTf, x_BTd, kernels, withGradient);
  }

  private NDArray project(
      NDArray x_BTd, Affine linear, DecoderKernels kernels, boolean withGradient) {
    return isPost()
        ? kernels.linear(x_BTd, linear, withGradient)
        : kernels.normLinear(x_BTd, norm1, linear, withGradient);
  }

  /** Keys and values, with what their positions carry behind them. */
  private NDArray carrying(
      NDArray kv_BNf, NDArray x_BNd, DecoderKernels kernels, boolean withGradient) {
    if (carried.isEmpty()) {
      return kv_BNf;
    }
    try (kv_BNf;
        NDArray carried_BNE = project(x_BNd, carried.get(), kernels, withGradient)) {
      return kernels.beside(kv_BNf, carried_BNE, withGradient);
    }
  }

  private NDArray shaped(
      NDArray x_BNf, long numQueries, long numKeys, DecoderKernels kernels, boolean withGradient) {
    if (heads.isEmpty()) {
      return x_BNf;
    }
    try (x_BNf) {
      return kernels.shapeHeads(x_BNf, heads.get(), numQueries, numKeys, withGradient);
    }
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
    try (NDManager layer = owner.newSubManager()) {
      NDArray x_BSd = kernels.every(x_BNd, (rows - 1) % stride, stride, withGradient);
      x_BSd.attach(layer);
      long missing = pad_d.isPresent() ? (stride - rows % stride) % stride : 0;
      NDArray padded_BPd = padded(x_BNd, missing, kernels, withGradient, layer);
      NDArray q_BSf = part(x_BSd, 0, queries, kernels, withGradient);
      q_BSf = shaped(q_BSf, queries, 0, kernels, withGradient);
      NDArray kv_BPf = part(padded_BPd, queries, queries + 2 * keys, kernels, withGradient);
      kv_BPf = shaped(kv_BPf, 0, keys, kernels, withGradient);
      kv_BPf = carrying(kv_BPf, padded_BPd, kernels, withGradient);
      kv_BPf.attach(layer);
      NDArray attended_BSd = attention.attendStrided(q_BSf, kv_BPf, index);
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
      NDArray attended_BTf,
      DecoderKernels kernels,
      boolean withGradient,
      NDManager layer,
      NDManager owner) {
    NDArray y_BTd =
        switch (form.norm()) {
          case PRE -> {
            NDArray middle_BTd = kernels.addLinear(x_BTd, attended_BTf, out, withGradient);
            middle_BTd.attach(layer);
            yield kernels.addMlp(middle_BTd, norm2, up, down, withGradient);
          }
          case POST -> {
            NDArray middle_BTd =
                kernels.addLinearNorm(x_BTd, attended_BTf, out, norm1, withGradient);
            middle_BTd.attach(layer);
            yield kernels.addMlpNorm(middle_BTd, norm2, up, down, withGradient);
          }
          case PARALLEL -> {
            NDArray middle_BTd = kernels.addMlp(x_BTd, norm2, up, down, withGradient);
            middle_BTd.attach(layer);
            yield kernels.addLinear(middle_BTd, attended_BTf, out, withGradient);
          }
          case NORMED -> {
            NDArray normed_BTd = kernels.normalise(x_BTd, norm1, withGradient);
            normed_BTd.attach(layer);
            NDArray middle_BTd = kernels.addLinear(normed_BTd, attended_BTf, out, withGradient);
            middle_BTd.attach(layer);
            yield kernels.normAddMlp(middle_BTd, norm2, up, down, withGradient);
          }
        };
    y_BTd.attach(owner);
    return y_BTd;
  }
}
