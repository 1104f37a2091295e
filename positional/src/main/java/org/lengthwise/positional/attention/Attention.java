package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import org.lengthwise.positional.Fire;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RegularGpt;

/**
 * Attention during one forward pass: everything that the pass's layers share is prepared, and each
 * layer attends in turn.
 */
public interface Attention {

  /**
   * Attends.
   *
   * @param qkv_BT3d queries, keys and values side by side, float32
   * @param block the distinct block k, which decides whose learnable tensors are used
   * @param level l, which decides the dilation where there is one
   * @return the attended values [B, T, d], float32, owned by the input's manager
   */
  NDArray attend(NDArray qkv_BT3d, int block, int level);

  /**
   * Prepares attention for a forward pass.
   *
   * @param scheme the positional scheme
   * @param kernels the kernels of the device
   * @param tensors the scheme's learnable tensors
   * @param pass the shape of the pass
   * @param manager the owner of what the layers share; the attention is of no use after its close
   * @return the attention of this pass
   */
  static Attention begin(
      PositionalScheme scheme,
      AttentionKernels kernels,
      PositionalTensors tensors,
      Pass pass,
      NDManager manager) {
    return scheme instanceof RegularGpt regular
        ? new DilatedAttention(regular, kernels, tensors, pass)
        : SingleLevelAttention.of(scheme, kernels, tensors, pass, manager);
  }

  /**
   * The queries that attend together where every earlier position is a key: each such block reads
   * keys up to its own end.
   *
   * @param scheme the positional scheme
   * @param length T
   * @return at least 1
   */
  static int queriesAtATime(PositionalScheme scheme, int length) {
    return scheme instanceof Fire ? FireAttention.queries(length) : AttentionKernels.QUERY_BLOCK;
  }

  /**
   * The shape of a forward pass.
   *
   * @param heads H
   * @param headWidth D
   * @param length T
   * @param recordsGradient whether a backward pass will follow
   */
  record Pass(int heads, int headWidth, int length, boolean recordsGradient) {
    /** Checks the values. */
    public Pass {
      if (heads < 1 || headWidth < 1 || length < 1) {
        throw new IllegalArgumentException(
            "expected at least one head, number and position, found %d, %d and %d"
                .formatted(heads, headWidth, length));
      }
    }
  }
}
