package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import org.lengthwise.positional.Rotary;

/**
 * Attention of rotated queries and keys.
 *
 * @param rotations the rotation at every position, which all layers share
 * @param keyHeads G; keys are rotated before they are repeated
 */
record RotaryAttention(
    AttentionKernels kernels, RotaryTable rotations, Attention.Pass pass, int keyHeads)
    implements SchemeAttention {

  static RotaryAttention of(Rotary scheme, Factory in) {
    return new RotaryAttention(
        in.kernels(), RotaryTable.of(scheme, in), in.pass(), in.pass().heads());
  }

  /** The same attention with G heads of keys and values. */
  RotaryAttention grouped(int heads) {
    return new RotaryAttention(kernels, rotations, pass, heads);
  }

  @Override
  public boolean suitsCudnn() {
    return true;
  }

  @Override
  public NDArray attend(NDArray qkv_BTg, int block, int level) {
    return attend("rotary", qkv_BTg);
  }

  NDArray attendPlainly(NDArray qkv_BTg) {
    return attend("plain_rotary", qkv_BTg);
  }

  private NDArray attend(String kernel, NDArray qkv_BTg) {
    return kernels.run(
        pass.causal() ? kernel : kernel + "_both_directions",
        qkv_BTg,
        kernels.scalar(pass.heads()),
        kernels.scalar(keyHeads),
        rotations.cos_TP(),
        rotations.sin_TP());
  }

  /** Queries and keys rotated, and values [B, N, 3d], where N is at most T. */
  NDArray rotate(NDArray qkv_BN3d) {
    return kernels.run(
        "rotate_qkv",
        qkv_BN3d,
        kernels.scalar(pass.heads()),
        rotations.cos_TP(),
        rotations.sin_TP());
  }

  @Override
  public NDArray attendStrided(NDArray q_B1d, NDArray kv_BTg, int block) {
    return kernels.run(
        "rotary_last",
        q_B1d,
        kv_BTg,
        kernels.scalar(pass.heads()),
        kernels.scalar(keyHeads),
        rotations.cos_TP(),
        rotations.sin_TP());
  }

  /** In float32 the queries and keys before rotation are kept too. */
  static AttentionMemory.Kept kept(AttentionMemory memory) {
    return new AttentionMemory.Kept(
        (memory.isBf16() ? 0 : memory.vectorBytes(2)) + memory.fusedBytes(), 0);
  }
}
