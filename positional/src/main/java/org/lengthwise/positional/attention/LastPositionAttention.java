package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Reach;
import org.lengthwise.positional.RegularGpt;

/**
 * Attention during a forward pass that needs the last position only. The pass holds a row for each
 * position that the last position depends on, and no other rows.
 *
 * <p>Under a scheme of one level, all positions are rows until the last layer. The last layer has
 * one query. Under RegularGPT, the rows of level l are the positions whose distance from the last
 * one is a multiple of C<sup>l</sup>. The keys of a query are adjacent rows, so every level attends
 * without dilation. The last block of a level has only every C-th row as a query. Under windows,
 * the rows of a block are the positions from {@link Reach#firstRow} on.
 */
public interface LastPositionAttention {

  /**
   * {@return the attended values [B, n, d] at every row}
   *
   * @param qkv_BN3d queries, keys and values of the level's rows side by side, float32
   */
  NDArray attend(NDArray qkv_BN3d, int block);

  /**
   * {@return the attended values [B, S, d] at the rows that the next level needs}
   *
   * @param q_BSd the queries of every {@link #stride}-th row, counted back from the last row
   * @param kv_BN2d keys and values of all rows of the level side by side, float32
   */
  NDArray attendStrided(NDArray q_BSd, NDArray kv_BN2d, int block);

  /**
   * {@return the attended values [B, 1, d] at the last of T positions, where the keys and values of
   * all positions were kept}
   *
   * @param q_B1d the query of the last position
   * @param kv_BT2d keys and values of all positions at this level side by side, float32
   * @param level l, which decides the dilation if the scheme has one
   */
  NDArray attendNext(NDArray q_B1d, NDArray kv_BT2d, int block, int level);

  /**
   * {@return the distance between the rows that the next level needs, at least 1; with n or more,
   * only the last row remains} The last row is always one of them.
   *
   * @param rows n, the number of rows of this level
   */
  int stride(int rows);

  /**
   * {@return whether a pass may have gradients: true for RegularGPT only} A scheme of one level
   * computes all positions until its last layer, so {@link Attention} serves its gradients.
   */
  static boolean hasGradients(PositionalScheme scheme) {
    return scheme instanceof RegularGpt;
  }

  /**
   * Prepares attention for a forward pass.
   *
   * @param manager the owner of the shared tensors; the attention must not be used after the owner
   *     is closed
   * @return the attention of this pass
   * @throws IllegalArgumentException if the pass has gradients, and the scheme has none here
   */
  static LastPositionAttention begin(
      PositionalScheme scheme,
      AttentionKernels kernels,
      Attention.Tensors tensors,
      Attention.Pass pass,
      NDManager manager) {
    if (kernels.hasGradient() && !hasGradients(scheme)) {
      throw new IllegalArgumentException("expected a pass without gradients");
    }
    return scheme.accept(new SchemeAttention.Factory(kernels, tensors, pass, manager));
  }
}
