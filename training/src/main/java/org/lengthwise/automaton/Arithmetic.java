package org.lengthwise.automaton;

import java.util.List;

/**
 * Expressions modulo 5 of digits and the operators +, - and *, read from left to right. Every digit
 * has an operator in front, so T is even. This record is a state of the automaton: the value so far
 * is the sum plus the last term, which a following * multiplies.
 *
 * @param sum the sum of all terms before the last one
 * @param term the last term with its sign, 0 after + and -
 * @param operator the operator that waits for its digit, or {@link #COMPLETE} or {@link #MALFORMED}
 */
record Arithmetic(int sum, int term, int operator) {
  private static final int BASE = 5;
  private static final int PLUS = 5;
  private static final int TIMES = 7;
  private static final int NUM_OPERATORS = 3;
  private static final int COMPLETE = -1;
  private static final int MALFORMED = -2;

  static Automaton automaton() {
    return Automaton.reachedFrom(
        new Arithmetic(0, 0, COMPLETE),
        List.of("0", "1", "2", "3", "4", "+", "-", "*"),
        Arithmetic::next,
        Arithmetic::label);
  }

  private Arithmetic next(int symbol) {
    if (operator == MALFORMED || (operator == COMPLETE) == (symbol < BASE)) {
      return new Arithmetic(0, 0, MALFORMED);
    }
    if (operator == COMPLETE) {
      return symbol == TIMES
          ? new Arithmetic(sum, term, symbol)
          : new Arithmetic((sum + term) % BASE, 0, symbol);
    }
    int factor = operator == TIMES ? term : operator == PLUS ? 1 : BASE - 1;
    return new Arithmetic(sum, factor * symbol % BASE, COMPLETE);
  }

  private int label() {
    return operator == COMPLETE ? (sum + term) % BASE : Automaton.NONE;
  }

  /** Independent digits and operators after a first +. An odd length is raised by one. */
  static Sampler sampler() {
    return new Sampler() {
      @Override
      public Draw at(int length) {
        return (index, random) -> {
          int[] ids = new int[numSymbols(length)];
          ids[0] = PLUS;
          for (int t = 1; t < ids.length; t++) {
            ids[t] = t % 2 == 1 ? random.nextInt(BASE) : PLUS + random.nextInt(NUM_OPERATORS);
          }
          return ids;
        };
      }

      @Override
      public int numSymbols(int length) {
        return length + length % 2;
      }
    };
  }
}
