package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import org.lengthwise.positional.LayerWindow;
import org.lengthwise.positional.Rotary;

/**
 * Attention of rotated queries and keys, to the latest W positions or the query's own chunk in
 * blocks with the window.
 *
 * @param window the window and its blocks
 * @param all attention in the other blocks, which also rotates
 * @param within the rotations of the blocks with the window
 * @param latest attention to these positions without a bias
 */
record RotaryWindowAttention(
    LayerWindow window, RotaryAttention all, RotaryAttention within, WindowAttention latest)
    implements SchemeAttention {

  static RotaryWindowAttention of(
      LayerWindow window, Rotary scheme, RotaryAttention all, Factory in) {
    Attention.Pass pass = all.pass();
    Shape shape = new Shape(pass.heads(), Math.min(window.positions(), pass.length()));
    return new RotaryWindowAttention(
        window,
        all,
        RotaryAttention.of(scheme.inBlock(window.fromLayer()), in),
        new WindowAttention(all.kernels(), in.manager().zeros(shape), true, window.chunks(), pass));
  }

  @Override
  public NDArray attend(NDArray qkv_BN3d, int block, int level) {
    if (!window.covers(block)) {
      return all.attend(qkv_BN3d, block, level);
    }
    try (NDArray rotated_BN3d = within.rotate(qkv_BN3d)) {
      return latest.attend(rotated_BN3d, block, level);
    }
  }

  /** {@link #attend} with all scores at once. */
  NDArray attendPlainly(NDArray qkv_BT3d, int block, int level) {
    if (!window.covers(block)) {
      return all.attendPlainly(qkv_BT3d);
    }
    try (NDArray rotated_BT3d = within.rotate(qkv_BT3d)) {
      return latest.attendPlainly(rotated_BT3d);
    }
  }

  @Override
  public NDArray attendStrided(NDArray q_B1d, NDArray kv_BN2d, int block) {
    if (!window.covers(block)) {
      return all.attendStrided(q_B1d, kv_BN2d, block);
    }
    try (NDArray kv_BW2d = latest.keys(kv_BN2d)) {
      return within.attendStrided(q_B1d, kv_BW2d, block);
    }
  }

  /** Blocks may differ; this is the larger amount. */
  static AttentionMemory.Kept kept(LayerWindow window, AttentionMemory memory) {
    long inWindow = memory.windowBytes(window);
    long everywhere = window.seesAllKeys() ? RotaryAttention.kept(memory).layerBytes() : 0;
    return new AttentionMemory.Kept(Math.max(inWindow, everywhere), 0);
  }
}
