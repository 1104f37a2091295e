package org.lengthwise.positional;

/**
 * What a scheme computes beside the queries, keys, values and scores of a dense scheme.
 *
 * @param numCarried the numbers that each position carries behind its values: H for a scheme with
 *     gates, also if only some of its blocks have them. A block projects them from the rows from
 *     which keys come, by the scheme's parameters {@code c_f.weight} and {@code c_f.bias}
 * @param numbersOfPair the numbers of each pair of a query and a key, for all heads, that a layer
 *     keeps for its backward pass
 */
public record Cost(int numCarried, long numbersOfPair) {
  /** Nothing more than a dense scheme. */
  public static final Cost NONE = new Cost(0, 0);

  /**
   * {@return the most numbers of pairs that a kernel holds for a block of queries: 8 MB on a CPU,
   * for its caches, and 512 MB on a GPU, which needs large products} A block has at least one query
   * of each sequence.
   */
  public static long numbersOfBlock(boolean isGpu) {
    return isGpu ? 1 << 27 : 1 << 21;
  }

  Cost max(Cost other) {
    return new Cost(
        Math.max(numCarried, other.numCarried), Math.max(numbersOfPair, other.numbersOfPair));
  }
}
