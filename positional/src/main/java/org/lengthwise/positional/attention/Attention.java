package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.Optional;
import org.lengthwise.config.Checks;
import org.lengthwise.positional.PositionSample;
import org.lengthwise.positional.PositionalScheme;

/**
 * Attention during one forward pass. {@link #begin} prepares the tensors that all layers share;
 * then each layer attends in turn.
 */
public interface Attention {

  /**
   * Attends in one layer.
   *
   * @param qkv_BT3d queries, keys and values side by side, float32 or the format of the products
   * @param block the block k, whose learnable tensors are used
   * @param level l, which decides the dilation if the scheme has one
   * @return the attended values [B, T, d], in the format of the input, owned by the input's manager
   */
  NDArray attend(NDArray qkv_BT3d, int block, int level);

  /**
   * Prepares attention for a forward pass.
   *
   * @param kernels the kernels of the device
   * @param pass the shape of the pass
   * @param manager the owner of the shared tensors; the attention must not be used after the owner
   *     is closed
   * @return the attention of this pass
   */
  static Attention begin(
      PositionalScheme scheme,
      AttentionKernels kernels,
      Tensors tensors,
      Pass pass,
      NDManager manager) {
    return scheme.accept(new SchemeAttention.Factory(kernels, tensors, pass, manager));
  }

  /** The learnable tensors of a scheme. */
  @FunctionalInterface
  interface Tensors {

    /**
     * {@return the tensor of a parameter, with the shape that the parameter states}
     *
     * @param block the block k; ignored for tensors that all blocks share
     */
    NDArray get(String name, int block);
  }

  /** An implementation of attention, such as {@link Attention#begin}. */
  @FunctionalInterface
  interface Provider {

    /**
     * Prepares attention for a forward pass; see {@link Attention#begin}.
     *
     * @param kernels the kernels of the device
     * @param pass the shape of the pass
     * @param manager the owner of the shared tensors
     * @return the attention of this pass
     */
    Attention begin(
        PositionalScheme scheme,
        AttentionKernels kernels,
        Tensors tensors,
        Pass pass,
        NDManager manager);
  }

  /**
   * The shape of a forward pass.
   *
   * @param heads H
   * @param headWidth D
   * @param length T
   * @param causal whether a query sees no later keys
   * @param seed decides which positions a scheme draws that {@linkplain PositionalScheme#sample
   *     draws them}
   * @param sample the positions or distances that stand for 0..T-1; empty if they stand for
   *     themselves
   */
  record Pass(
      int heads,
      int headWidth,
      int length,
      boolean causal,
      long seed,
      Optional<PositionSample> sample) {
    /** Requires H, D and T of at least 1. */
    public Pass {
      Checks.atLeast("heads", heads, 1);
      Checks.atLeast("head_width", headWidth, 1);
      Checks.atLeast("length", length, 1);
    }

    /**
     * The shape of a pass with the seed 0.
     *
     * @param heads H
     * @param headWidth D
     * @param length T
     * @param causal whether a query sees no later keys
     */
    public Pass(int heads, int headWidth, int length, boolean causal) {
      this(heads, headWidth, length, causal, 0, Optional.empty());
    }

    /** This pass at the positions that a scheme draws. */
    Pass sampledBy(PositionalScheme scheme) {
      return new Pass(heads, headWidth, length, causal, seed, scheme.sample(seed, length));
    }

    /** The numbers of the sample, which are places of tables. */
    Optional<int[]> places() {
      return sample.map(PositionSample::numbers);
    }

    /** The number of positions or distances of a table: T, or the range of the sample. */
    int range() {
      return sample.map(PositionSample::range).orElse(length);
    }

    /** The model's width d = H D. */
    int width() {
      return heads * headWidth;
    }
  }
}
