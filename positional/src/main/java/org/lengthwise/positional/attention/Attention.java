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
   * @return the attended values [B, T, d], owned by the input's manager, in its format; those of a
   *     linear recurrence are float32
   */
  NDArray attend(NDArray qkv_BT3d, int block, int level);

  /**
   * Prepares attention for a forward pass.
   *
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

  @FunctionalInterface
  interface Tensors {

    /**
     * {@return the tensor of a parameter; the block is ignored for tensors that all blocks share}
     */
    NDArray get(String name, int block);
  }

  @FunctionalInterface
  interface Provider {

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
   * @param states the states of linear recurrences before position 0, which the pass replaces by
   *     those after the last one; empty if recurrences begin at 0
   */
  record Pass(
      int heads,
      int headWidth,
      int length,
      boolean causal,
      long seed,
      Optional<PositionSample> sample,
      Optional<LayerStates> states) {
    public Pass {
      Checks.atLeast("heads", heads, 1);
      Checks.atLeast("head_width", headWidth, 1);
      Checks.atLeast("length", length, 1);
    }

    public Pass(int heads, int headWidth, int length, boolean causal) {
      this(heads, headWidth, length, causal, 0, Optional.empty(), Optional.empty());
    }

    Pass sampledBy(PositionalScheme scheme) {
      return new Pass(heads, headWidth, length, causal, seed, scheme.sample(seed, length), states);
    }

    /** The numbers of the sample, which are places of tables. */
    Optional<int[]> places() {
      return sample.map(PositionSample::numbers);
    }

    /** The number of positions or distances of a table: T, or the range of the sample. */
    int range() {
      return sample.map(PositionSample::range).orElse(length);
    }

    public int width() {
      return heads * headWidth;
    }
  }
}
