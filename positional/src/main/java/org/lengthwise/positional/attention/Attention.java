package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.Optional;
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
      BiasTensors tensors,
      Pass pass,
      NDManager manager) {
    if (scheme instanceof RegularGpt regular) {
      return (qkv_BT3d, block, level) ->
          kernels.banded(
              qkv_BT3d, tensors.get("r", block), regular.dilation(level), pass.recordsGradient());
    }
    Optional<SingleLevelAttention> own =
        SingleLevelAttention.of(scheme, kernels, tensors, pass, manager);
    if (own.isPresent()) {
      return own.get();
    }
    return new DistanceBias(kernels, tensors, manager)
        .table(scheme, pass)
        .map(table_HT -> dense(kernels, table_HT, pass))
        .orElse(
            (qkv_BT3d, block, level) ->
                kernels.causal(qkv_BT3d, pass.heads(), pass.recordsGradient()));
  }

  /**
   * All layers of a training pass share one bias [1, H, T, T]: no more than the scores of a single
   * sequence, which each layer keeps for the backward pass. Without one, it is never laid out.
   */
  private static Attention dense(AttentionKernels kernels, NDArray table_HT, Pass pass) {
    if (pass.recordsGradient()) {
      NDArray bias_1HTT = kernels.bias(table_HT, true);
      return (qkv_BT3d, block, level) -> kernels.dense(qkv_BT3d, bias_1HTT, true);
    }
    return (qkv_BT3d, block, level) -> kernels.denseInBlocks(qkv_BT3d, table_HT);
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
