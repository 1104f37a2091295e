package org.lengthwise.rasp;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The value of an expression: known before there is an input, or a step that will see one. */
sealed interface Value
    permits Atom, Node, Operator, Function, Value.Items, Value.Table, Value.Scorer {

  /** The kind of value, as an error message names it. */
  String kind();

  /** The value as a program writes it; the kind of a value that no program can write. */
  default String source() {
    return kind();
  }

  record Items(List<Value> values) implements Value {
    static final int MOST = 1_000_000;

    static Items of(Place place, List<? extends Value> values) {
      if (values.size() > MOST) {
        throw place.error(
            "a list of at most 1,000,000 values", "a longer list", "shorten the list");
      }
      return new Items(List.copyOf(values));
    }

    /** Whether every value is an atom, as in a list that an s-op looks up. */
    boolean areAtoms() {
      return values.stream().allMatch(Atom.class::isInstance);
    }

    @Override
    public String kind() {
      return "a list";
    }

    @Override
    public String source() {
      return values.stream().map(Value::source).collect(Collectors.joining(", ", "[", "]"));
    }
  }

  /** A dictionary, in the order of its keys in the program. */
  record Table(Map<Atom, Value> values) implements Value {
    @Override
    public String kind() {
      return "a dictionary";
    }

    @Override
    public String source() {
      return values.entrySet().stream()
          .map(entry -> entry.getKey().source() + ": " + entry.getValue().source())
          .collect(Collectors.joining(", ", "{", "}"));
    }
  }

  /** Scores of pairs of positions: {@code key[j] * query[i]}. */
  record Scorer(Node key, Node query) implements Value {
    @Override
    public String kind() {
      return "a score";
    }
  }
}
