package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import org.lengthwise.positional.LayerWindow;

/**
 * Attention of rotated queries and keys, to the latest W positions in blocks with the window.
 *
 * @param window the window and its blocks
 * @param all attention in the other blocks, which also rotates
 * @param latest attention to the latest W positions without a bias
 */
record RotaryWindowAttention(LayerWindow window, RotaryAttention all, WindowAttention latest)
    implements SchemeAttention {

  static RotaryWindowAttention of(LayerWindow window, RotaryAttention all, NDManager manager) {
    Attention.Pass pass = all.pass();
    Shape shape = new Shape(pass.heads(), Math.min(window.positions(), pass.length()));
    return new RotaryWindowAttention(
        window, all, new WindowAttention(all.kernels(), manager.zeros(shape), true, pass));
  }

  @Override
  public NDArray attend(NDArray qkv_BN3d, int block, int level) {
    if (!window.covers(block)) {
      return all.attend(qkv_BN3d, block, level);
    }
    try (NDArray rotated_BN3d = all.rotate(qkv_BN3d)) {
      return latest.attend(rotated_BN3d, block, level);
    }
  }

  /** {@link #attend} with all scores at once. */
  NDArray attendPlainly(NDArray qkv_BT3d, int block, int level) {
    if (!window.covers(block)) {
      return all.attendPlainly(qkv_BT3d);
    }
    try (NDArray rotated_BT3d = all.rotate(qkv_BT3d)) {
      return all.kernels().plain(rotated_BT3d, latest.bias_HW(), 1, all.pass().withGradient());
    }
  }

  @Override
  public NDArray attendStrided(NDArray q_B1d, NDArray kv_BN2d, int block) {
    if (!window.covers(block)) {
      return all.attendStrided(q_B1d, kv_BN2d, block);
    }
    try (NDArray kv_BW2d = latest.keys(kv_BN2d)) {
      return all.attendStrided(q_B1d, kv_BW2d, block);
    }
  }

  @Override
  public int reach(int blocks) {
    return window.coversAllBlocks() ? latest.reach(blocks) : all.reach(blocks);
  }

  /** Blocks may differ; this is the larger amount. */
  static AttentionMemory.Kept kept(LayerWindow window, AttentionMemory memory) {
    long inWindow = memory.bandedBytes(window.positions(), 1, false);
    long everywhere = window.coversAllBlocks() ? 0 : RotaryAttention.kept(memory).layerBytes();
    return new AttentionMemory.Kept(Math.max(inWindow, everywhere), 0);
  }
}
