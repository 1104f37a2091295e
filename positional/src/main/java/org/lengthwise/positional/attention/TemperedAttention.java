package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.HashMap;
import java.util.Map;
import org.lengthwise.kernel.EngineMemory;
import org.lengthwise.positional.DistanceBias;
import org.lengthwise.positional.Reach;
import org.lengthwise.positional.Tempered;

/**
 * Attention of another scheme, whose queries are multiplied by a factor of their number of keys. It
 * comes before a rotation, which it does not disturb.
 *
 * @param inner attention of the other scheme
 */
record TemperedAttention(Factors factors, SchemeAttention inner) implements SchemeAttention {

  static TemperedAttention of(Tempered scheme, Factory in) {
    Factors factors = new Factors(scheme, in.kernels(), in.tensors(), in.pass());
    SchemeAttention inner =
        scheme.multipliesBiases()
            ? Biased.of((DistanceBias) scheme.of(), factors, in)
            : scheme.of().accept(in);
    return new TemperedAttention(factors, inner);
  }

  @Override
  public NDArray attend(NDArray qkv_BNg, int block, int level) {
    try (NDArray tempered_BNg = factors.multiply(qkv_BNg, block)) {
      return inner.attend(tempered_BNg, block, level);
    }
  }

  @Override
  public NDArray attendStrided(NDArray q_BSd, NDArray kv_BNg, int block) {
    try (NDArray tempered_BSd = factors.multiply(q_BSd, block)) {
      return inner.attendStrided(tempered_BSd, kv_BNg, block);
    }
  }

  /** The factors of queries. */
  record Factors(
      Tempered scheme, AttentionKernels kernels, Attention.Tensors tensors, Attention.Pass pass) {

    /** Rows of the last n positions, with queries multiplied, owned by their manager. */
    NDArray multiply(NDArray rows_BNg, int block) {
      NDList factors = of(block, Math.toIntExact(rows_BNg.getShape().get(1)), rows_BNg);
      return kernels.runWithList("tempered", factors, rows_BNg, kernels.scalar(pass.width()));
    }

    /**
     * The factors [n, 1] of the last n queries, and the factors [H] of heads if they are learned.
     *
     * @param like a tensor on the device, whose manager owns new tensors
     */
    NDList of(int block, int numQueries, NDArray like) {
      NDArray factors_N1 =
          numQueries == pass.length()
              ? kernels
                  .fixed(scheme, pass, Fixed::new)
                  .byBlock()
                  .computeIfAbsent(block, k -> tensor(fixedOwner(), k, numQueries))
              : tensor(like.getManager(), block, numQueries);
      return scheme.temperature().hasScales()
          ? new NDList(factors_N1, tensors.get(Tempered.SCALE, block))
          : new NDList(factors_N1);
    }

    private NDManager fixedOwner() {
      return kernels.fixed(scheme, pass, Fixed::new).owner();
    }

    private NDArray tensor(NDManager owner, int block, int numQueries) {
      Reach reach = scheme.reach();
      float[] factors = new float[numQueries];
      for (int i = 0; i < numQueries; i++) {
        long query = pass.length() - numQueries + (long) i;
        long numKeys = pass.causal() ? query - reach.firstKey(block, query) + 1 : pass.length();
        factors[i] = (float) scheme.temperature().factor(numKeys);
      }
      return EngineMemory.tensor(owner, factors, new Shape(numQueries, 1));
    }

    private record Fixed(NDManager owner, Map<Integer, NDArray> byBlock) {
      Fixed(NDManager owner) {
        this(owner, new HashMap<>());
      }
    }
  }

  /**
   * Attention with a bias by distance that is multiplied by the factor of the query.
   *
   * @param shared {@code exact_shared} of {@link BiasedAttention#shared}
   */
  record Biased(Factors factors, NDArray table_HT, NDArray shared) implements SchemeAttention {
    static Biased of(DistanceBias scheme, Factors factors, Factory in) {
      NDArray table_HT = BiasedAttention.table(scheme, in);
      return new Biased(
          factors, table_HT, BiasedAttention.shared("exact_shared", table_HT, factors.kernels()));
    }

    @Override
    public NDArray attend(NDArray qkv_BT3d, int block, int level) {
      AttentionKernels kernels = factors.kernels();
      return kernels.runWithList(
          "dense_by_query",
          factors.of(block, factors.pass().length(), qkv_BT3d),
          qkv_BT3d,
          shared,
          kernels.scalar(factors.pass().heads()),
          kernels.scalar(AttentionKernels.QUERY_BLOCK));
    }

    /** {@link #attend} with all scores at once. */
    NDArray attendPlainly(NDArray qkv_BT3d, int block) {
      NDList all = factors.of(block, factors.pass().length(), qkv_BT3d);
      return factors.kernels().runWithList("plain_by_query", all, qkv_BT3d, table_HT);
    }

    @Override
    public NDArray attendStrided(NDArray q_B1d, NDArray kv_BT2d, int block) {
      NDList all = factors.of(block, 1, q_B1d);
      return factors.kernels().runWithList("dense_last_by_query", all, q_B1d, kv_BT2d, table_HT);
    }
  }

  /**
   * Learned factors keep the rows before the multiplication. Multiplied biases are kept for all
   * pairs, and on a CPU their scores if a factor or a bias is learned.
   */
  static AttentionMemory.Kept kept(
      Tempered scheme, AttentionMemory memory, AttentionMemory.Kept inner) {
    boolean isLearned = scheme.temperature().hasScales();
    long rows = isLearned ? memory.vectorBytes(3) : 0;
    if (!scheme.multipliesBiases()) {
      return new AttentionMemory.Kept(inner.layerBytes() + rows, inner.sharedBytes());
    }
    long biases = 2 * memory.biasBytes(AttentionKernels.QUERY_BLOCK);
    boolean keepsScores =
        !memory.isGpu() && !scheme.parameters(memory.heads(), memory.width()).isEmpty();
    long attended =
        keepsScores ? memory.scoreBytes(AttentionKernels.QUERY_BLOCK) : memory.fusedBytes();
    return new AttentionMemory.Kept(rows + biases + attended, inner.sharedBytes());
  }
}
