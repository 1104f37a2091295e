package org.lengthwise.rasp;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.commons.numbers.fraction.BigFraction;

/** The values of steps on one input. */
final class Run {
  private final List<Atom> tokens;
  private final Map<Node, List<Atom>> values = new HashMap<>();
  private final Map<Node, List<BitSet>> rows = new HashMap<>();

  /**
   * Runs steps.
   *
   * @param tokens the input, of at least one token
   * @param steps a {@link Node#ancestry}
   */
  Run(List<Atom> tokens, List<Node> steps) {
    this.tokens = tokens;
    for (Node node : steps) {
      if (node.isSelector()) {
        rows.put(node, eachPosition(tokens.size(), selector(node)));
      } else {
        values.put(node, eachPosition(tokens.size(), sOp(node)));
      }
    }
  }

  /** Applies an s-op, a selector or a score to a text or a list. */
  static Value on(Place place, Value input, Value step) {
    List<? extends Value> elements = Scope.elements(place, input);
    if (elements.isEmpty()) {
      throw place.error("an input of at least one token", "an empty input", "give a longer input");
    }
    if (!elements.stream().allMatch(Atom.class::isInstance)) {
      throw place.error("a text or a list of constants", "a list", "use constants");
    }
    List<Atom> tokens = elements.stream().map(Atom.class::cast).toList();
    if (step instanceof Value.Scorer scorer) {
      List<Atom> keys = new Run(tokens, scorer.key().ancestry()).values(scorer.key());
      List<Atom> queries = new Run(tokens, scorer.query().ancestry()).values(scorer.query());
      return table(
          tokens.size(),
          i -> j -> Operator.MULTIPLY.apply(place, List.of(keys.get(j), queries.get(i))));
    }
    Node node = (Node) step;
    Run run = new Run(tokens, node.ancestry());
    return node.isSelector()
        ? table(tokens.size(), i -> j -> new Atom.Truth(run.rows(node).get(i).get(j)))
        : new Value.Items(List.copyOf(run.values(node)));
  }

  private static Value table(int length, IntFunction<IntFunction<Value>> cells) {
    return new Value.Items(
        eachPosition(length, i -> new Value.Items(eachPosition(length, cells.apply(i)))));
  }

  private static <T> List<T> eachPosition(int length, IntFunction<? extends T> rule) {
    List<T> items = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      items.add(rule.apply(i));
    }
    return items;
  }

  /** The values of an s-op at each position. */
  List<Atom> values(Node sOp) {
    return values.getOrDefault(sOp, List.of());
  }

  /** The selected positions of each row of a selector. */
  List<BitSet> rows(Node selector) {
    return rows.getOrDefault(selector, List.of());
  }

  private IntFunction<Atom> sOp(Node node) {
    Operation operation = node.operation();
    if (operation instanceof Operation.Constant constant) {
      return i -> constant.value();
    }
    if (operation instanceof Operation.Elementwise elementwise) {
      List<List<Atom>> inputs = node.inputs().stream().map(this::values).toList();
      return i ->
          elementwise.apply(
              node.place().at("position", i),
              eachPosition(inputs.size(), input -> inputs.get(input).get(i)));
    }
    if (operation instanceof Operation.Aggregate aggregate) {
      List<BitSet> selected = rows(node.input(0));
      List<Atom> averaged = values(node.input(1));
      return i -> {
        BitSet row = selected.get(i);
        return switch (row.cardinality()) {
          case 0 -> aggregate.otherwise();
          case 1 -> averaged.get(row.nextSetBit(0));
          default -> mean(node.place().at("row", i), row, averaged);
        };
      };
    }
    return operation == Operation.Input.TOKENS ? tokens::get : Atom.Fraction::of;
  }

  private static Atom mean(Place place, BitSet row, List<Atom> values) {
    BigFraction sum = BigFraction.ZERO;
    for (int j = row.nextSetBit(0); j >= 0; j = row.nextSetBit(j + 1)) {
      if (!(values.get(j) instanceof Atom.Fraction number)) {
        throw place.error(
            "numbers to average",
            values.get(j).kind() + " at position " + j,
            "select at most one position in each row, or average an indicator");
      }
      sum = sum.add(number.value());
    }
    return Atom.Fraction.of(place, sum.divide(row.cardinality()));
  }

  private IntFunction<BitSet> selector(Node node) {
    if (node.operation() instanceof Operation.Select select) {
      List<Atom> keys = values(node.input(0));
      List<Atom> queries = values(node.input(1));
      return i -> {
        Place place = node.place().at("row", i);
        BitSet row = new BitSet();
        for (int j = 0; j < keys.size(); j++) {
          row.set(j, select.comparison().holds(place, keys.get(j), queries.get(i)));
        }
        return row;
      };
    }
    List<BitSet> first = rows(node.input(0));
    if (node.operation() instanceof Operation.Combine combine) {
      List<BitSet> last = rows(node.input(node.inputs().size() - 1));
      return i -> {
        BitSet row = (BitSet) first.get(i).clone();
        switch (combine.logic()) {
          case AND -> row.and(last.get(i));
          case OR -> row.or(last.get(i));
          default -> row.flip(0, tokens.size());
        }
        return row;
      };
    }
    List<Atom> keys = values(node.input(1));
    List<Atom> queries = values(node.input(2));
    return i -> best(node.place().at("row", i), first.get(i), keys, queries.get(i));
  }

  /** The selected key of the highest score, the last of equals. */
  private static BitSet best(Place place, BitSet selected, List<Atom> keys, Atom query) {
    BitSet row = new BitSet();
    BigFraction highest = BigFraction.ZERO;
    for (int j = selected.nextSetBit(0); j >= 0; j = selected.nextSetBit(j + 1)) {
      BigFraction score = keys.get(j).number(place).multiply(query.number(place));
      if (row.isEmpty() || score.subtract(highest).signum() >= 0) {
        highest = score;
        row.clear();
        row.set(j);
      }
    }
    return row;
  }
}
