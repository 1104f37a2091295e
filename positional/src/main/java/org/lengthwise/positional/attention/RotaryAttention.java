package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import org.lengthwise.positional.Rotary;

/**
 * Attention of rotated queries and keys.
 *
 * @param kernels the kernels of the device
 * @param rotations the rotation at every position, which all layers share
 * @param pass the shape of the pass
 * @param keyHeads G; keys are rotated before they are repeated
 */
record RotaryAttention(
    AttentionKernels kernels, RotaryTable rotations, Attention.Pass pass, int keyHeads)
    implements SchemeAttention {

  static RotaryAttention of(
      Rotary scheme, AttentionKernels kernels, Attention.Pass pass, NDManager manager) {
    RotaryTable table = RotaryTable.of(scheme, kernels, pass, manager);
    return new RotaryAttention(kernels, table, pass, pass.heads());
  }

  /** The same attention with G heads of keys and values. */
  RotaryAttention grouped(int heads) {
    return new RotaryAttention(kernels, rotations, pass, heads);
  }

  @Override
  public NDArray attend(NDArray qkv_BT3d, int block, int level) {
    return kernels.rotary("rotary", qkv_BT3d, this);
  }

  /** {@link #attend} with all scores at once. */
  NDArray attendPlainly(NDArray qkv_BT3d) {
    return kernels.rotary("plain_rotary", qkv_BT3d, this);
  }

  /** Queries and keys rotated, and values [B, N, 3d], where N is at most T. */
  NDArray rotate(NDArray qkv_BN3d) {
    return kernels.rotateQkv(qkv_BN3d, rotations, pass);
  }

  @Override
  public NDArray attendStrided(NDArray q_B1d, NDArray kv_BT2d, int block) {
    return kernels.rotaryLast(q_B1d, kv_BT2d, this);
  }

  /** In float32 the queries and keys before rotation are kept too. */
  static AttentionMemory.Kept kept(AttentionMemory memory) {
    return new AttentionMemory.Kept(
        (memory.isBf16() ? 0 : memory.vectorBytes(2)) + memory.fusedBytes(), 0);
  }
}
