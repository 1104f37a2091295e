package org.lengthwise.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import org.lengthwise.model.DecoderKernels.Affine;
import org.lengthwise.positional.attention.Attention;

/**
 * The block with the states of {@link BlockRecurrence}. With u the normalised tokens of chunk i, s
 * the states before it, h = norm(s) + ids, and f attention over all keys without a mask:
 *
 * <pre>
 * q_self, k, v, q_tok = qkvq(h)
 * x += block's attention + readOut(f(read(u); k, v)), then the block's MLP
 * z = out([f(q_self; k, v); f(q_tok; the chunk's k, v)]);  s' = g s + (1 - g) z,  g = sigmoid(gate)
 * </pre>
 *
 * @param chunk C
 * @param heads H
 * @param init_Sd the states before the first chunk
 * @param norm the LayerNorm of the states
 * @param qkvq the projection of the states [4d, d]
 * @param out the projection to new states [d, 2d]
 * @param gate_d the gate of each feature
 * @param read the queries of tokens over the states [d, d]
 * @param readOut the projection of what they read [d, d]
 */
record RecurrentBlock(
    DecoderBlock block,
    int chunk,
    int heads,
    NDArray init_Sd,
    NDArray ids_Sd,
    Affine norm,
    Affine qkvq,
    Affine out,
    NDArray gate_d,
    Affine read,
    Affine readOut) {

  static RecurrentBlock of(Weights weights, ModelConfig config) {
    BlockRecurrence recurrence = (BlockRecurrence) config.recurrence();
    String name = ParameterLayout.states(config);
    return new RecurrentBlock(
        DecoderBlock.of(weights, config, recurrence.layer()),
        recurrence.chunk(),
        config.heads(),
        weights.get(name + "init"),
        weights.get(name + "ids"),
        Affine.of(weights, name + "ln"),
        Affine.of(weights, name + "c_attn"),
        Affine.of(weights, name + "c_proj"),
        weights.get(name + "gate"),
        Affine.of(weights, name + "c_read"),
        Affine.of(weights, name + "c_read_proj"));
  }

  int index() {
    return block.index();
  }

  /**
   * From the first chunk of a sequence on: [B, T, d] to [B, T, d], owned by the input's manager.
   */
  NDArray forward(NDArray x_BTd, Attention attention, DecoderKernels kernels) {
    NDList results = forward(x_BTd, 0, init_Sd, false, attention, kernels);
    results.get(1).close();
    return results.get(0);
  }

  /**
   * From any chunk on.
   *
   * @param rows_BPd positions that are keys only, then the positions from the start of a chunk on
   * @param numKeys the number of positions that are keys only
   * @param states_BSd the states before the first chunk, also [S, d]
   * @param carries whether the returned states are those after the last complete chunk; otherwise
   *     they are those before the last chunk
   * @return the output [B, T, d] and states [B, S, d], owned by the input's manager
   */
  NDList forward(
      NDArray rows_BPd,
      long numKeys,
      NDArray states_BSd,
      boolean carries,
      Attention attention,
      DecoderKernels kernels) {
    NDManager owner = rows_BPd.getManager();
    try (NDManager layer = owner.newSubManager()) {
      NDArray qkv_BP3d = kernels.before(rows_BPd, 0, block);
      qkv_BP3d.attach(layer);
      NDArray attended_BPd = attention.attend(qkv_BP3d, index(), 0);
      NDArray x_BTd = from(numKeys, rows_BPd);
      NDList states = kernels.states(from(numKeys, qkv_BP3d), states_BSd, this, carries);
      states.attach(layer);
      NDArray q_BTd = kernels.normLinear(x_BTd, block.norm1(), read);
      q_BTd.attach(layer);
      NDArray read_BTd = kernels.readStates(q_BTd, states.get(0), chunk, heads);
      NDArray with_BTd = kernels.addLinear(x_BTd, read_BTd, readOut);
      with_BTd.attach(layer);
      NDArray y_BTd = kernels.after(with_BTd, attended_BPd, block);
      NDArray last_BSd = states.get(1);
      NDList results = new NDList(y_BTd, last_BSd);
      results.attach(owner);
      return results;
    }
  }

  private static NDArray from(long first, NDArray x_BPd) {
    return first == 0 ? x_BPd : x_BPd.get(new NDIndex(":, {}:", first));
  }
}
