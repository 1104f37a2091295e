package org.lengthwise.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import org.lengthwise.model.DecoderKernels.Affine;
import org.lengthwise.positional.RecurrenceShape;
import org.lengthwise.positional.attention.Attention;
import org.lengthwise.positional.attention.LastPositionAttention;

/**
 * One distinct block: attention and an MLP. {@link FormKernels} writes how each is added to the
 * residual stream. What a block does not have is an empty tensor.
 *
 * @param index k
 * @param norm1 the norm of attention
 * @param qkv the projection to queries, keys and values [H D + 2 G D, d]
 * @param queries H D
 * @param carried the projection to what each position carries behind its values [E, d]
 * @param input a number if each position also carries what its projections read
 * @param queryNorm_D the weight of the RMSNorm of each query
 * @param keyNorm_D the weight of the RMSNorm of each key
 * @param factor the factor of queries, if the form states a scale
 * @param out the projection of the attended values [d, H D]
 * @param norm2 the norm of the MLP
 * @param up the projection to the MLP's inner width [F, d], or [2 F, d] with a gate
 * @param down the projection back [d, F]
 * @param pad_d the row at every position before the start
 */
record DecoderBlock(
    int index,
    Affine norm1,
    Affine qkv,
    long queries,
    Affine carried,
    NDArray input,
    NDArray queryNorm_D,
    NDArray keyNorm_D,
    double factor,
    Affine out,
    Affine norm2,
    Affine up,
    Affine down,
    NDArray pad_d) {

  static DecoderBlock of(Weights weights, ModelConfig config, int k) {
    String name = ParameterLayout.block(k);
    NDArray none = weights.get("transformer.wte.weight").getManager().zeros(new Shape(0));
    HeadForm heads = config.form().attention();
    return new DecoderBlock(
        k,
        Affine.of(weights, name + "ln_1"),
        Affine.of(weights, name + "attn.c_attn"),
        config.attentionWidth(),
        weights.tensors().containsKey(name + "attn.c_f.weight")
            ? Affine.of(weights, name + "attn.c_f")
            : new Affine(none, none),
        config.linear(k).map(RecurrenceShape::readsInput).orElse(false)
            ? none.getManager().zeros(new Shape(1))
            : none,
        weights.tensors().getOrDefault(name + "attn.q_norm.weight", none),
        weights.tensors().getOrDefault(name + "attn.k_norm.weight", none),
        heads.scale() * Math.sqrt(config.headWidth()),
        Affine.of(weights, name + "attn.c_proj"),
        Affine.of(weights, name + "ln_2"),
        Affine.of(weights, name + "mlp.c_fc"),
        Affine.of(weights, name + "mlp.c_proj"),
        weights.tensors().getOrDefault(name + "attn.pad", none));
  }

  /**
   * [B, T, d] to [B, T, d], owned by the input's manager.
   *
   * @param level l, the number of times that all blocks have run
   * @param padding the number of positions before the start that a query reads
   */
  NDArray forward(
      NDArray x_BTd, Attention attention, int level, long padding, DecoderKernels kernels) {
    try (NDArray qkv_BPf = kernels.before(x_BTd, padding, this);
        NDArray attended_BPf = attention.attend(qkv_BPf, index, level)) {
      return kernels.after(x_BTd, attended_BPf, this);
    }
  }

  /** The rows that the next level needs: [B, n, d] to [B, S, d]. */
  NDArray forwardStrided(NDArray x_BNd, LastPositionAttention attention, DecoderKernels kernels) {
    long rows = x_BNd.getShape().get(1);
    long stride = attention.stride(Math.toIntExact(rows));
    long padding = pad_d.size() > 0 ? (stride - rows % stride) % stride : 0;
    try (NDArray x_BSd = kernels.every(x_BNd, (rows - 1) % stride, stride);
        NDArray q_BSf = kernels.queries(x_BSd, this);
        NDArray kv_BPf = kernels.keysAndValues(x_BNd, padding, this);
        NDArray attended_BSf = attention.attendStrided(q_BSf, kv_BPf, index)) {
      return kernels.after(x_BSd, attended_BSf, this);
    }
  }
}
