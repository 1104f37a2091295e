package org.lengthwise.rasp;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An expression of a program. Its text has parentheses wherever a reading could be doubtful. */
sealed interface Expression {
  Place place();

  Value evaluate(Scope scope);

  /** A constant, or the comparison that {@code select} takes. */
  record Literal(Place place, Value value) implements Expression {
    @Override
    public Value evaluate(Scope scope) {
      return value;
    }

    @Override
    public String toString() {
      return value instanceof Atom.Text text ? '"' + text.value() + '"' : value.toString();
    }
  }

  /** A variable. */
  record Name(Place place, String name) implements Expression {
    @Override
    public Value evaluate(Scope scope) {
      return scope.get(place, name);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** An operator with one operand. */
  record Unary(Place place, Operator operator, Expression operand) implements Expression {
    @Override
    public Value evaluate(Scope scope) {
      Value value = operand.evaluate(scope);
      if (operator == Operator.NOT && value instanceof Node node && node.isSelector()) {
        return scope.graph().node(place, new Operation.Combine(operator), node);
      }
      return scope.graph().elementwise(place, operator, value);
    }

    @Override
    public String toString() {
      return "(" + operator + (operator == Operator.NOT ? " " : "") + operand + ")";
    }
  }

  /** An operator between two operands. */
  record Binary(Place place, Operator operator, Expression left, Expression right)
      implements Expression {
    @Override
    public Value evaluate(Scope scope) {
      Value first = left.evaluate(scope);
      Value second = right.evaluate(scope);
      boolean isLogic = operator == Operator.AND || operator == Operator.OR;
      if (isLogic && (isSelector(first) || isSelector(second))) {
        Node a = scope.graph().selector(left.place(), first);
        Node b = scope.graph().selector(right.place(), second);
        return scope.graph().node(place, new Operation.Combine(operator), a, b);
      }
      if (isLogic && first instanceof Atom a && second instanceof Atom b) {
        return a.isTrue() == (operator == Operator.OR) ? a : b;
      }
      if (operator == Operator.ADD
          && first instanceof Value.Items a
          && second instanceof Value.Items b) {
        List<Value> both = new ArrayList<>(a.values());
        both.addAll(b.values());
        return Value.Items.of(place, both);
      }
      return scope.graph().elementwise(place, operator, first, second);
    }

    private static boolean isSelector(Value value) {
      return value instanceof Node node && node.isSelector();
    }

    @Override
    public String toString() {
      return "(" + left + " " + operator + " " + right + ")";
    }
  }

  /** Whether a value is in a list, or anywhere in an s-op. */
  record In(Place place, Expression item, Expression container) implements Expression {
    @Override
    public Value evaluate(Scope scope) {
      Value wanted = item.evaluate(scope);
      Value found = container.evaluate(scope);
      if (found instanceof Value.Items items && items.areAtoms()) {
        return scope.graph().elementwise(place, new Operation.Member(items), wanted);
      }
      if (found instanceof Node sequence && wanted instanceof Atom) {
        return anywhere(scope.graph(), sequence, wanted);
      }
      throw place.error(
          "an s-op or a constant in a list of constants, or a constant in an s-op",
          wanted.kind() + " in " + found.kind(),
          "use select to compare two s-ops");
    }

    private Value anywhere(Graph graph, Node sequence, Value wanted) {
      Value isWanted = graph.elementwise(place, Operator.EQUAL, sequence, wanted);
      Value counted = graph.elementwise(place, Operator.INDICATOR, isWanted);
      Node one = graph.sOp(place, Atom.Fraction.of(1));
      Node all = graph.node(place, new Operation.Select(Operator.EQUAL), one, one);
      Operation mean = new Operation.Aggregate(Atom.Fraction.ZERO);
      Node share = graph.node(place, mean, all, graph.sOp(place, counted));
      return graph.elementwise(place, Operator.GREATER, share, Atom.Fraction.ZERO);
    }

    @Override
    public String toString() {
      return "(" + item + " in " + container + ")";
    }
  }

  /** {@code yes if condition else no}. A constant condition evaluates one branch only. */
  record Conditional(Place place, Expression yes, Expression condition, Expression no)
      implements Expression {
    @Override
    public Value evaluate(Scope scope) {
      Value chosen = condition.evaluate(scope);
      if (chosen instanceof Atom atom) {
        return (atom.isTrue() ? yes : no).evaluate(scope);
      }
      return scope
          .graph()
          .elementwise(place, Operator.IF, yes.evaluate(scope), chosen, no.evaluate(scope));
    }

    @Override
    public String toString() {
      return "(" + yes + " if " + condition + " else " + no + ")";
    }
  }

  /** An argument, with the parameter's name if the program gives it. */
  record Argument(@Nullable String name, Expression value) {
    @Override
    public String toString() {
      return name == null ? value.toString() : name + "=" + value;
    }
  }

  /** A function with arguments, or an s-op or a selector with an input. */
  record Call(Place place, Expression callee, List<Argument> arguments) implements Expression {
    @Override
    public Value evaluate(Scope scope) {
      Value value = callee.evaluate(scope);
      if (value instanceof Function function) {
        return function.apply(place, scope.graph(), function.bind(place, arguments, scope));
      }
      if (arguments.size() == 1 && (value instanceof Node || value instanceof Value.Scorer)) {
        return Run.on(place, arguments.get(0).value().evaluate(scope), value);
      }
      throw place.error(
          "a function, or an s-op or a selector with one input",
          value.kind(),
          "check the name before the parenthesis");
    }

    @Override
    public String toString() {
      return callee + list(arguments, "(", ")");
    }
  }

  /** An entry of a list, a text or a dictionary. */
  record Index(Place place, Expression container, Expression index) implements Expression {
    @Override
    public Value evaluate(Scope scope) {
      Value table = container.evaluate(scope);
      Value key = index.evaluate(scope);
      if (!(table instanceof Value.Items
          || table instanceof Value.Table
          || table instanceof Atom.Text)) {
        throw place.error(
            "a list, a text or a dictionary",
            table.kind(),
            "to read one position of an s-op, use aggregate(select(indices, 0, ==), s)");
      }
      return key instanceof Atom atom
          ? Operation.Lookup.entry(place, table, atom)
          : scope.graph().elementwise(place, new Operation.Lookup(table), key);
    }

    @Override
    public String toString() {
      return container + "[" + index + "]";
    }
  }

  /** A list of expressions. */
  record Listing(Place place, List<Expression> items) implements Expression {
    @Override
    public Value evaluate(Scope scope) {
      return Value.Items.of(place, items.stream().map(item -> item.evaluate(scope)).toList());
    }

    @Override
    public String toString() {
      return list(items, "[", "]");
    }
  }

  /** {@code [item for names in source]}. */
  record Comprehension(Place place, Expression item, List<String> names, Expression source)
      implements Expression {
    @Override
    public Value evaluate(Scope scope) {
      List<Value> found = new ArrayList<>();
      for (Value value : Scope.elements(source.place(), source.evaluate(scope))) {
        Scope inner = scope.inner();
        inner.assign(source.place(), names, value);
        found.add(item.evaluate(inner));
      }
      return Value.Items.of(place, found);
    }

    @Override
    public String toString() {
      return "[" + item + " for " + String.join(", ", names) + " in " + source + "]";
    }
  }

  /** An entry of a dictionary. */
  record Entry(Expression key, Expression value) {
    @Override
    public String toString() {
      return key + ": " + value;
    }
  }

  /** A dictionary, whose keys are constants. */
  record Dictionary(Place place, List<Entry> entries) implements Expression {
    @Override
    public Value evaluate(Scope scope) {
      Map<Atom, Value> values = new LinkedHashMap<>();
      for (Entry entry : entries) {
        if (!(entry.key().evaluate(scope) instanceof Atom key)) {
          throw entry
              .key()
              .place()
              .error("a number or a text as a key", entry.key().toString(), "use a constant");
        }
        values.put(key, entry.value().evaluate(scope));
      }
      return new Value.Table(values);
    }

    @Override
    public String toString() {
      return list(entries, "{", "}");
    }
  }

  private static String list(List<?> parts, String before, String after) {
    return parts.stream().map(Object::toString).collect(Collectors.joining(", ", before, after));
  }
}
