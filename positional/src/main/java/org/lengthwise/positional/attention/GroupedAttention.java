package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import java.util.function.IntUnaryOperator;
import org.lengthwise.config.Checks;

/**
 * Attention whose keys and values have G heads, fewer than the H heads of queries. Query head h
 * reads key head floor(h G / H). Any attention of H heads computes it, after keys and values are
 * repeated; rotations come before. What a caller keeps of a text has G heads.
 *
 * <p>Queries, keys and values lie side by side: [q (H D) | k (G D) | v (G D)].
 *
 * <p>Source: Ainslie et al., "GQA: Training Generalized Multi-Query Transformer Models from
 * Multi-Head Checkpoints", EMNLP 2023. G = 1 is Shazeer, "Fast Transformer Decoding: One Write-Head
 * is All You Need", 2019.
 */
public final class GroupedAttention {
  private final AttentionKernels kernels;
  private final int keyHeads;
  private final IntUnaryOperator carried;
  private final Attention.Pass pass;

  private GroupedAttention(
      AttentionKernels kernels, int keyHeads, IntUnaryOperator carried, Attention.Pass pass) {
    Checks.require(
        keyHeads >= 1 && pass.heads() % keyHeads == 0,
        "key_heads",
        "a divisor of %s heads".formatted(pass.heads()),
        keyHeads);
    this.kernels = kernels;
    this.keyHeads = keyHeads;
    this.carried = carried;
    this.pass = pass;
  }

  /**
   * {@return attention that takes qkv [B, T, (H + 2 G) D]; the inner one if G = H}
   *
   * @param inner attention of H heads, which takes [B, T, 3 H D]
   * @param kernels the kernels of the device
   * @param keyHeads G, a divisor of H
   * @param carried the numbers that each position carries behind its values, by block
   * @param pass the shape of the pass
   */
  public static Attention of(
      Attention inner,
      AttentionKernels kernels,
      int keyHeads,
      IntUnaryOperator carried,
      Attention.Pass pass) {
    if (keyHeads == pass.heads()) {
      return inner;
    }
    if (inner instanceof RotaryAttention rotary) {
      return rotary.grouped(keyHeads);
    }
    GroupedAttention grouped = new GroupedAttention(kernels, keyHeads, carried, pass);
    return (qkv_BTg, block, level) -> {
      try (NDArray qkv_BT3d = grouped.repeat(qkv_BTg, pass.heads(), block)) {
        return inner.attend(qkv_BT3d, block, level);
      }
    };
  }

  /**
   * {@return attention of the last position that takes kv [B, n, 2 G D]; the inner one if G = H}
   *
   * @param inner attention of H heads, which takes [B, n, 2 H D]
   * @param kernels the kernels of the device
   * @param keyHeads G, a divisor of H
   * @param carried the numbers that each position carries behind its values, by block
   * @param pass the shape of the pass
   */
  public static LastPositionAttention of(
      LastPositionAttention inner,
      AttentionKernels kernels,
      int keyHeads,
      IntUnaryOperator carried,
      Attention.Pass pass) {
    if (keyHeads == pass.heads()) {
      return inner;
    }
    return inner instanceof RotaryAttention rotary
        ? rotary.grouped(keyHeads)
        : new Last(inner, new GroupedAttention(kernels, keyHeads, carried, pass));
  }

  /**
   * Repeats keys and values.
   *
   * @param x_Bng queries of some heads, then keys and values of G heads
   * @param queryHeads H or 0
   */
  private NDArray repeat(NDArray x_Bng, int queryHeads, int block) {
    int own = carried.applyAsInt(block);
    long expected = (queryHeads + 2L * keyHeads) * pass.headWidth() + own;
    if (x_Bng.getShape().get(2) != expected) {
      throw new IllegalArgumentException(
          "expected rows of %s numbers, found %s".formatted(expected, x_Bng.getShape()));
    }
    return kernels.run(
        "repeat_groups",
        x_Bng,
        kernels.scalar(keyHeads),
        kernels.scalar(pass.heads() / keyHeads),
        kernels.scalar(pass.headWidth()),
        kernels.scalar(own));
  }

  private record Last(LastPositionAttention inner, GroupedAttention grouped)
      implements LastPositionAttention {

    @Override
    public NDArray attend(NDArray qkv_BNg, int block) {
      try (NDArray qkv_BN3d = grouped.repeat(qkv_BNg, grouped.pass.heads(), block)) {
        return inner.attend(qkv_BN3d, block);
      }
    }

    @Override
    public NDArray attendStrided(NDArray q_BSd, NDArray kv_BNg, int block) {
      try (NDArray kv_BN2d = grouped.repeat(kv_BNg, 0, block)) {
        return inner.attendStrided(q_BSd, kv_BN2d, block);
      }
    }

    @Override
    public NDArray attendNext(NDArray q_B1d, NDArray kv_BTg, int block, int level) {
      try (NDArray kv_BT2d = grouped.repeat(kv_BTg, 0, block)) {
        return inner.attendNext(q_B1d, kv_BT2d, block, level);
      }
    }

    @Override
    public int stride(int rows) {
      return inner.stride(rows);
    }
  }
}
