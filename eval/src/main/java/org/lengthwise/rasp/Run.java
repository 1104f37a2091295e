package org.lengthwise.rasp;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.commons.numbers.fraction.BigFraction;

/** The values of a step, and of all steps that it needs, on one input. */
final class Run {
  private final List<Atom> tokens;
  private final Map<Node, List<Atom>> values = new HashMap<>();
  private final Map<Node, List<BitSet>> rows = new HashMap<>();

  /**
   * Runs a step.
   *
   * @param tokens the input, of at least one token
   */
  Run(List<Atom> tokens, Node target) {
    this.tokens = tokens;
    for (Node node : target.ancestry()) {
      if (node.isSelector()) {
        rows.put(node, eachPosition(selector(node)));
      } else {
        values.put(node, eachPosition(sOp(node)));
      }
    }
  }

  /** Applies an s-op, a selector or a score to a text or a list. */
  static Value on(Place place, Value input, Value step) {
    List<Atom> tokens =
        Scope.elements(place, input).stream()
            .map(
                value -> {
                  if (value instanceof Atom atom) {
                    return atom;
                  }
                  throw place.error("a text or a list of constants", "a list", "use constants");
                })
            .toList();
    if (tokens.isEmpty()) {
      throw place.error("an input of at least one token", "an empty input", "give a longer input");
    }
    if (step instanceof Value.Scorer scorer) {
      List<Atom> keys = new Run(tokens, scorer.key()).values(scorer.key());
      List<Atom> queries = new Run(tokens, scorer.query()).values(scorer.query());
      return table(
          tokens.size(),
          i -> j -> Operator.MULTIPLY.apply(place, List.of(keys.get(j), queries.get(i))));
    }
    Node node = (Node) step;
    Run run = new Run(tokens, node);
    if (!node.isSelector()) {
      return new Value.Items(List.copyOf(run.values(node)));
    }
    return table(tokens.size(), i -> j -> new Atom.Truth(run.rows(node).get(i).get(j)));
  }

  private static Value table(int length, IntFunction<IntFunction<Atom>> rows) {
    IntFunction<Value> row =
        i ->
            new Value.Items(
                List.copyOf(IntStream.range(0, length).mapToObj(rows.apply(i)).toList()));
    return new Value.Items(IntStream.range(0, length).mapToObj(row).toList());
  }

  /** The values of an s-op at each position. */
  List<Atom> values(Node sOp) {
    return values.getOrDefault(sOp, List.of());
  }

  /** The selected positions of each row of a selector. */
  List<BitSet> rows(Node selector) {
    return rows.getOrDefault(selector, List.of());
  }

  private <T> List<T> eachPosition(IntFunction<T> rule) {
    List<T> results = new ArrayList<>(tokens.size());
    for (int i = 0; i < tokens.size(); i++) {
      results.add(rule.apply(i));
    }
    return Collections.unmodifiableList(results);
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
              node.place().at("position", i), inputs.stream().map(v -> v.get(i)).toList());
    }
    if (operation instanceof Operation.Aggregate aggregate) {
      List<BitSet> selected = rows(node.inputs().get(0));
      List<Atom> averaged = values(node.inputs().get(1));
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
    Operation operation = node.operation();
    if (operation instanceof Operation.Select select) {
      List<Atom> keys = values(node.inputs().get(0));
      List<Atom> queries = values(node.inputs().get(1));
      return i -> {
        Place place = node.place().at("row", i);
        BitSet row = new BitSet();
        for (int j = 0; j < keys.size(); j++) {
          List<Atom> pair = List.of(keys.get(j), queries.get(i));
          row.set(j, select.comparison().apply(place, pair).isTrue());
        }
        return row;
      };
    }
    List<BitSet> first = rows(node.inputs().get(0));
    if (operation instanceof Operation.Combine combine) {
      List<BitSet> last = rows(node.inputs().get(node.inputs().size() - 1));
      return i -> combined(combine.logic(), first.get(i), last.get(i));
    }
    return best(node, first);
  }

  private BitSet combined(Operator logic, BitSet first, BitSet last) {
    BitSet row = (BitSet) first.clone();
    switch (logic) {
      case AND -> row.and(last);
      case OR -> row.or(last);
      default -> row.flip(0, tokens.size());
    }
    return row;
  }

  private IntFunction<BitSet> best(Node node, List<BitSet> selected) {
    List<Atom> keys = values(node.inputs().get(1));
    List<Atom> queries = values(node.inputs().get(2));
    return i -> {
      Place place = node.place().at("row", i);
      BigFraction query = queries.get(i).number(place);
      BitSet row = new BitSet();
      BigFraction highest = BigFraction.ZERO;
      BitSet choices = selected.get(i);
      for (int j = choices.nextSetBit(0); j >= 0; j = choices.nextSetBit(j + 1)) {
        BigFraction score = keys.get(j).number(place).multiply(query);
        if (row.isEmpty() || score.subtract(highest).signum() >= 0) {
          highest = score;
          row.clear();
          row.set(j);
        }
      }
      return row;
    };
  }
}
