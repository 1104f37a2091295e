package org.lengthwise.positional;

import java.util.BitSet;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.lengthwise.positional.formula.Expression;
import org.lengthwise.positional.formula.Variable;

/** What queries see by a condition that is no window. */
record FormulaReach(Formula formula, Expression condition) implements Reach {
  /** If the condition depends on the head or on a head's width, this is T, an upper bound. */
  @Override
  public long receptiveField(int layers, long length) {
    boolean isKnown =
        Stream.of(Variable.HEAD, Variable.HEADS, Variable.HEAD_WIDTH).noneMatch(condition::uses);
    return isKnown ? numReached(layers, Math.toIntExact(length)) : length;
  }

  /** The positions that the last one reaches from key to key, one layer after the other. */
  private long numReached(int layers, int length) {
    BitSet reached = new BitSet();
    reached.set(length - 1);
    for (int block = layers - 1; block >= 0; block--) {
      PositionalValues values = new PositionalValues(1, 1, block, length, Map.of());
      BitSet queries = (BitSet) reached.clone();
      if (condition.uses(Variable.QUERY) || condition.uses(Variable.KEY)) {
        queries.stream()
            .forEach(
                query ->
                    IntStream.rangeClosed(0, query)
                        .filter(n -> isSeen(values, query, query - n))
                        .forEach(reached::set));
      } else {
        LongStream.range(0, length)
            .filter(distance -> isSeen(values, distance, distance))
            .forEach(
                distance ->
                    queries.stream()
                        .filter(query -> query >= distance)
                        .forEach(query -> reached.set(query - (int) distance)));
      }
    }
    return reached.cardinality();
  }

  private boolean isSeen(PositionalValues values, long query, long distance) {
    return formula.at(values, 0, query, distance).of(condition) != 0;
  }
}
