package org.lengthwise.rasp;

import java.util.List;
import java.util.stream.Collectors;

/** What a {@link Node} does with its inputs. */
sealed interface Operation {

  String text(List<String> inputs);

  /** Without parentheses around all of a text, which the argument of a function does not need. */
  static String bare(String text) {
    return text.startsWith("(") && text.endsWith(")") ? text.substring(1, text.length() - 1) : text;
  }

  private static String arguments(List<String> inputs) {
    return inputs.stream().map(Operation::bare).collect(Collectors.joining(", "));
  }

  /** What the input gives to each position. */
  enum Input implements Operation {
    TOKENS,
    INDICES;

    @Override
    public String text(List<String> inputs) {
      return this == TOKENS ? "tokens" : "indices";
    }
  }

  record Constant(Atom value) implements Operation {
    @Override
    public String text(List<String> inputs) {
      return value.source();
    }
  }

  /** A function of the inputs' values at one position. */
  sealed interface Elementwise extends Operation permits Operator, Lookup, Member {
    Atom apply(Place place, List<Atom> values);
  }

  /** The entry of a list, a text or a dictionary at the input's value. */
  record Lookup(Value table) implements Elementwise {
    @Override
    public Atom apply(Place place, List<Atom> values) {
      if (entry(place, table, values.get(0)) instanceof Atom atom) {
        return atom;
      }
      throw place.error(
          "a number, a text or a truth value in the list",
          "another value",
          "index with a constant");
    }

    /** The entry of a list, a text or a dictionary. A negative place counts from the end. */
    static Value entry(Place place, Value table, Atom key) {
      if (table instanceof Value.Table dictionary) {
        return dictionary.values().entrySet().stream()
            .filter(entry -> Atom.same(entry.getKey(), key))
            .findFirst()
            .orElseThrow(
                () ->
                    place.error(
                        "a key of the dictionary " + dictionary.source(),
                        key.kind(),
                        "add the key"))
            .getValue();
      }
      List<? extends Value> entries =
          table instanceof Value.Items items ? items.values() : ((Atom.Text) table).characters();
      if (entries.isEmpty()) {
        throw place.error("a list or a text with entries", "an empty one", "add an entry");
      }
      int index = key.whole(place, -entries.size(), entries.size() - 1);
      return entries.get(Math.floorMod(index, entries.size()));
    }

    @Override
    public String text(List<String> inputs) {
      return table.source() + "[" + bare(inputs.get(0)) + "]";
    }
  }

  record Member(Value.Items list) implements Elementwise {
    @Override
    public Atom apply(Place place, List<Atom> values) {
      return new Atom.Truth(
          list.values().stream().anyMatch(item -> Atom.same((Atom) item, values.get(0))));
    }

    @Override
    public String text(List<String> inputs) {
      return "(" + inputs.get(0) + " in " + list.source() + ")";
    }
  }

  /** The mean of the selected values; inputs are a selector and an s-op. */
  record Aggregate(Atom otherwise) implements Operation {
    @Override
    public String text(List<String> inputs) {
      String end = Atom.same(otherwise, Atom.Fraction.ZERO) ? ")" : ", " + otherwise.source() + ")";
      return "aggregate(" + arguments(inputs) + end;
    }
  }

  /** The pairs of positions for which {@code key[j] op query[i]}; inputs are key and query. */
  record Select(Operator comparison) implements Operation {
    @Override
    public String text(List<String> inputs) {
      return "select(" + arguments(inputs) + ", " + comparison + ")";
    }
  }

  /** The conjunction, disjunction or negation of selectors. */
  record Combine(Operator logic) implements Operation {
    @Override
    public String text(List<String> inputs) {
      return logic.text(inputs);
    }
  }

  /**
   * In each row of a selector the selected key of the highest score, the last of equals; inputs are
   * the selector, and the key and the query of the score.
   */
  record Best() implements Operation {
    @Override
    public String text(List<String> inputs) {
      return "select_best(%s, score(%s, %s))"
          .formatted(inputs.stream().map(Operation::bare).toArray());
    }
  }

  default boolean isSelector() {
    return this instanceof Select || this instanceof Combine || this instanceof Best;
  }
}
