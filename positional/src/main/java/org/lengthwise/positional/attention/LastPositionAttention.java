package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.Optional;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RegularGpt;

/**
 * Attention during a forward pass of which only the last position counts. At each level the pass
 * holds the rows that the last position depends on, and no others.
 *
 * <p>Under a dense scheme these are all positions until the last layer, which asks with one query.
 * Under RegularGPT they are, at level l, the positions whose distance from the last is a multiple
 * of C<sup>l</sup>; among themselves they are neighbours, so every level slides over adjacent rows.
 * The last block of a level asks with every C-th of its rows only.
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
      BiasTensors tensors,
      Attention.Pass pass,
      NDManager manager) {
    if (pass.recordsGradient()) {
      throw new IllegalArgumentException("expected a pass without gradients");
    }
    if (scheme instanceof RegularGpt regular) {
      return new Sliding(regular, kernels, tensors);
    }
    Optional<SingleLevelAttention> own =
        SingleLevelAttention.of(scheme, kernels, tensors, pass, manager);
    if (own.isPresent()) {
      return own.get();
    }
    return new DistanceBias(kernels, tensors, manager)
        .table(scheme, pass)
        .<LastPositionAttention>map(table_HT -> new Biased(kernels, table_HT))
        .orElseGet(() -> new Unbiased(kernels, pass.heads()));
  }

  /**
   * RegularGPT's windows.
   *
   * @param scheme the scheme
   * @param kernels the kernels
   * @param tensors where each block's r is
   */
  record Sliding(RegularGpt scheme, AttentionKernels kernels, BiasTensors tensors)
      implements LastPositionAttention {
    @Override
    public NDArray attend(NDArray qkv_BN3d, int block) {
      return kernels.banded(qkv_BN3d, tensors.get("r", block), 1, false);
    }

    @Override
    public NDArray attendSome(NDArray q_BSd, NDArray kv_BN2d, int block) {
      return kernels.slidingLast(q_BSd, kv_BN2d, tensors.get("r", block));
    }

    @Override
    public int stride(int rows) {
      return scheme.chunk();
    }
  }

  /**
   * A bias by distance over all earlier positions.
   *
   * @param kernels the kernels
   * @param table_HT the bias by head and distance
   */
  record Biased(AttentionKernels kernels, NDArray table_HT) implements LastPositionAttention {
    @Override
    public NDArray attend(NDArray qkv_BN3d, int block) {
      return kernels.denseInBlocks(qkv_BN3d, table_HT);
    }

    @Override
    public NDArray attendSome(NDArray q_BSd, NDArray kv_BN2d, int block) {
      return kernels.denseLast(q_BSd, kv_BN2d, table_HT);
    }

    @Override
    public int stride(int rows) {
      return rows;
    }
  }

  /**
   * All earlier positions, none preferred.
   *
   * @param kernels the kernels
   * @param heads H
   */
  record Unbiased(AttentionKernels kernels, int heads) implements LastPositionAttention {
    @Override
    public NDArray attend(NDArray qkv_BN3d, int block) {
      return kernels.causal(qkv_BN3d, heads, false);
    }

    @Override
    public NDArray attendSome(NDArray q_BSd, NDArray kv_BN2d, int block) {
      return kernels.causalLast(q_BSd, kv_BN2d, heads);
    }

    @Override
    public int stride(int rows) {
      return rows;
    }
  }
}
