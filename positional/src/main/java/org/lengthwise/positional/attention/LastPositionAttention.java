package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RegularGpt;

/**
 * Attention during a forward pass of which only the last position counts. At each level the pass
 * holds the rows that the last position depends on, and no others.
 *
 * <p>Under a dense scheme these are all positions until the last layer, which asks with one query.
 * Under RegularGPT they are, at level l, the positions whose distance from the last is a multiple
 * of C<sup>l</sup>; among themselves they are neighbours, so every level slides over adjacent rows.
 * The last block of a level asks with every C-th of its rows only. A sliding window reaches back so
 * far in each block and no further.
 */
public interface LastPositionAttention {

  /**
   * Attends at every row.
   *
   * @param qkv_BN3d queries, keys and values of the level's rows side by side, float32
   * @param block the distinct block k
   * @return the attended values [B, n, d]
   */
  NDArray attend(NDArray qkv_BN3d, int block);

  /**
   * Attends at the rows that the next level needs.
   *
   * @param q_BSd the queries of the rows that {@link #stride} picks
   * @param kv_BN2d keys and values of all of the level's rows side by side, float32
   * @param block the distinct block k
   * @return the attended values [B, S, d]
   */
  NDArray attendSome(NDArray q_BSd, NDArray kv_BN2d, int block);

  /**
   * The distance between the rows that the next level needs; the last row is always one of them.
   *
   * @param rows n, how many rows this level has
   * @return at least 1; n or more leaves the last row only
   */
  int stride(int rows);

  /**
   * How many of the latest positions the last one depends on.
   *
   * @param blocks how many blocks lie between it and the embeddings
   * @return at least 1; a sequence may well be shorter
   */
  default int reach(int blocks) {
    return Integer.MAX_VALUE;
  }

  /**
   * Prepares attention for a forward pass without gradients.
   *
   * @param scheme the positional scheme
   * @param kernels the kernels of the device
   * @param tensors the scheme's learnable tensors
   * @param pass the shape of the pass
   * @param manager the owner of what the layers share; the attention is of no use after its close
   * @return the attention of this pass
   * @throws IllegalArgumentException if the pass records gradients
   */
  static LastPositionAttention begin(
      PositionalScheme scheme,
      AttentionKernels kernels,
      PositionalTensors tensors,
      Attention.Pass pass,
      NDManager manager) {
    if (pass.recordsGradient()) {
      throw new IllegalArgumentException("expected a pass without gradients");
    }
    return scheme instanceof RegularGpt regular
        ? new DilatedAttention(regular, kernels, tensors, pass)
        : SingleLevelAttention.of(scheme, kernels, tensors, pass, manager);
  }
}
