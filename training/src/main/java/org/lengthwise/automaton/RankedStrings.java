package org.lengthwise.automaton;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Random;
import org.lengthwise.config.Checks;

/**
 * All strings of one length and one label, in lexicographic order of their ids. A string is found
 * by its rank, so drawing a rank draws a string uniformly, however few strings have the label.
 *
 * <p>Implementation note: the number of strings of t symbols that lead from a state to the label is
 * the sum over the next states of the numbers for t - 1. A rank selects one symbol after another by
 * subtracting these numbers. The numbers are exact.
 */
final class RankedStrings {
  /** The most memory that the numbers may take. */
  private static final double MOST_BITS = 8.0 * (1 << 28);

  private final Automaton automaton;

  /** For each t the number of strings of t symbols that lead from a state to the label. */
  private final BigInteger[][] counts;

  /**
   * Counts the strings.
   *
   * @throws org.lengthwise.config.InvalidValueException if the counts would not fit into memory
   */
  RankedStrings(Automaton automaton, int length, int label) {
    int bitsOfSymbol = Integer.SIZE - Integer.numberOfLeadingZeros(automaton.numSymbols() - 1);
    int longest =
        (int) Math.sqrt(2 * MOST_BITS / automaton.numStates() / Math.max(1, bitsOfSymbol));
    Checks.require(
        length <= longest,
        "length",
        "at most %s for an automaton of %s states".formatted(longest, automaton.numStates()),
        length);
    this.automaton = automaton;
    this.counts = new BigInteger[length + 1][automaton.numStates()];
    for (int state = 0; state < automaton.numStates(); state++) {
      counts[0][state] = automaton.labels().get(state) == label ? BigInteger.ONE : BigInteger.ZERO;
    }
    for (int t = 1; t <= length; t++) {
      BigInteger[] shorter = counts[t - 1];
      Arrays.setAll(
          counts[t],
          state ->
              automaton.transitions().get(state).stream()
                  .map(next -> shorter[next])
                  .reduce(BigInteger.ZERO, BigInteger::add));
    }
  }

  BigInteger size() {
    return counts[counts.length - 1][0];
  }

  boolean isEmpty() {
    return size().signum() == 0;
  }

  int[] get(BigInteger rank) {
    int[] ids = new int[counts.length - 1];
    BigInteger rest = rank;
    int state = 0;
    for (int t = 0; t < ids.length; t++) {
      BigInteger[] rests = counts[ids.length - t - 1];
      int symbol = 0;
      BigInteger count = rests[automaton.next(state, symbol)];
      while (rest.compareTo(count) >= 0) {
        rest = rest.subtract(count);
        count = rests[automaton.next(state, ++symbol)];
      }
      ids[t] = symbol;
      state = automaton.next(state, symbol);
    }
    return ids;
  }

  /** {@return the ids of a string; all have the same probability} */
  int[] draw(Random random) {
    BigInteger rank;
    do {
      rank = new BigInteger(size().bitLength(), random);
    } while (rank.compareTo(size()) >= 0);
    return get(rank);
  }
}
