package org.lengthwise.positional;

/**
 * What queries of a scheme see: the keys of a block, the levels of RegularGPT, and so the positions
 * that a result can depend on.
 */
public interface Reach {
  /** Every earlier position is a key, in every block. */
  Reach EARLIER = new Reach() {};

  /** Every position is a key; with {@code model.causal}, every earlier one. */
  Reach BOTH_SIDES =
      new Reach() {
        @Override
        public boolean hasLaterKeys() {
          return true;
        }
      };

  /**
   * {@return whether the scheme is defined for keys after the query too, so that {@code
   * model.causal} may be false; false if its formula needs a distance of at least 0}
   */
  default boolean hasLaterKeys() {
    return false;
  }

  /**
   * {@return whether queries of at least one block see every earlier position, so that the cost
   * grows with T squared; false if the number of their keys is bounded}
   */
  default boolean seesAllKeys() {
    return true;
  }

  /**
   * {@return the first position that a query of a block may see} It does not fall from one query to
   * the next.
   *
   * @param block the block k
   * @param query m, at least 0
   */
  default long firstKey(int block, long query) {
    return 0;
  }

  /**
   * {@return a number of positions that may be left out at the start, with all its multiples: 1,
   * unless keys lie in chunks, which count from position 0}
   */
  default long alignment() {
    return 1;
  }

  /**
   * {@return the theoretical receptive field, from 1 to T: the number of positions that the last
   * position can depend on, itself included, by any path of attended keys through all executed
   * layers} These are the latest positions, unless a formula also shows keys at other places.
   *
   * @param layers K, the number of blocks
   * @param length T, at least 1
   */
  default long receptiveField(int layers, long length) {
    return length - firstPosition(0, layers, length);
  }

  /**
   * {@return the first position that a block must read, a multiple of {@link #alignment}, if only
   * the last one of the last block counts}
   *
   * @param block the block k
   * @param layers K, the number of blocks
   * @param length T, at least 1
   */
  default long firstRow(int block, int layers, long length) {
    long first = firstPosition(block, layers, length);
    return first - first % alignment();
  }

  private long firstPosition(int block, int layers, long length) {
    long first = length - 1;
    for (int k = layers - 1; k >= block && first > 0; k--) {
      first = firstKey(k, first);
    }
    return first;
  }

  /**
   * {@return whether queries attend in levels of windows as RegularGPT's do; false for a formula
   * that shows the same keys} The keys of a query at level l lie {@link #dilation} apart, so the
   * rows of a string form a tree.
   */
  default boolean hasDilation() {
    return false;
  }

  /**
   * {@return L, the number of levels: how many times the stack of blocks runs over a sequence}
   *
   * @param length T, at least 1
   */
  default int levels(long length) {
    return 1;
  }

  /**
   * {@return how many of the blocks run at each level: all of them, unless each level has its own}
   *
   * @param layers K, the number of blocks
   */
  default int blocksOfLevel(int layers) {
    return layers;
  }

  /**
   * {@return the distance between neighbouring keys of a query at a level}
   *
   * @param level l, at least 0
   * @throws ArithmeticException if it exceeds a long
   */
  default long dilation(int level) {
    return 1;
  }

  /**
   * {@return the number of positions that a training pass computes at a level, if only the result
   * at the last position counts: T, unless later levels need fewer positions}
   *
   * @param level l, from 0 to L; L for the results of the last level
   * @param length T, at least 1
   */
  default long rowsForLast(int level, long length) {
    return length;
  }

  /**
   * {@return the number of positions before the start that queries of a level read} The pad, a
   * learned row of each block, stands at all of them.
   *
   * @param level l, at least 0
   */
  default long padding(int level) {
    return 0;
  }
}
