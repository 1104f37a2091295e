package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
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
    return DistanceBias.table(scheme, tensors, pass.heads(), pass.length(), manager)
        .map(table_HT -> dense(kernels, table_HT, pass))
        .orElse(
            (qkv_BT3d, block, level) ->
                kernels.causal(qkv_BT3d, pass.heads(), pass.recordsGradient()));
  }

  /** One bias for all layers where it fits a block of queries, else block by block. */
  private static Attention dense(AttentionKernels kernels, NDArray table_HT, Pass pass) {
    if (pass.length() <= Pass.QUERY_BLOCK) {
      NDArray bias_1HTT = kernels.bias(table_HT, pass.recordsGradient());
      return (qkv_BT3d, block, level) -> kernels.dense(qkv_BT3d, bias_1HTT, pass.recordsGradient());
    }
    return (qkv_BT3d, block, level) ->
        kernels.denseInBlocks(qkv_BT3d, table_HT, Pass.QUERY_BLOCK, pass.recordsGradient());
  }

  /**
   * The shape of a forward pass.
   *
   * @param heads H
   * @param length T
   * @param recordsGradient whether a backward pass will follow
   */
  record Pass(int heads, int length, boolean recordsGradient) {
    /**
     * The queries whose bias is held at a time: a bias of [H, 1024, 1024] is 50 MB with 12 heads.
     */
    static final int QUERY_BLOCK = 1024;

    /** Checks the values. */
    public Pass {
      if (heads < 1 || length < 1) {
        throw new IllegalArgumentException(
            "expected at least one head and one position, found " + heads + " and " + length);
      }
    }
  }
}
