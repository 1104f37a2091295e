package org.lengthwise.rasp;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An expression of a program.
 *
 * @param place the place at which errors about its value are reported
 */
record Expression(Place place, Rule rule) {

  @FunctionalInterface
  interface Rule {
    Value value(Scope scope, Place place);
  }

  /** An argument, with the parameter's name if the program gives it. */
  record Argument(@Nullable String name, Expression value) {}

  record Entry(Expression key, Expression value) {}

  Value in(Scope scope) {
    return rule.value(scope, scope.at(place));
  }

  /** A constant, or the comparison that {@code select} takes. */
  static Expression literal(Place at, Value value) {
    return new Expression(at, (scope, place) -> value);
  }

  static Expression unary(Place at, Operator operator, Expression operand) {
    return new Expression(
        at,
        (scope, place) -> {
          Value value = operand.in(scope);
          return operator == Operator.NOT && isSelector(value)
              ? scope.graph().node(place, new Operation.Combine(operator), (Node) value)
              : scope.graph().elementwise(place, operator, value);
        });
  }

  static Expression binary(Place at, Operator operator, Expression left, Expression right) {
    return new Expression(
        at,
        (scope, place) -> {
          Value first = left.in(scope);
          Value second = right.in(scope);
          boolean isLogic = operator == Operator.AND || operator == Operator.OR;
          if (isLogic && (isSelector(first) || isSelector(second))) {
            Node a = scope.graph().selector(scope.at(left.place()), first);
            Node b = scope.graph().selector(scope.at(right.place()), second);
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
        });
  }

  private static boolean isSelector(Value value) {
    return value instanceof Node node && node.isSelector();
  }

  /** Whether a value is in a list, or anywhere in an s-op. */
  static Expression membership(Place at, Expression item, Expression container) {
    return new Expression(
        at,
        (scope, place) -> {
          Value wanted = item.in(scope);
          Value found = container.in(scope);
          if (found instanceof Value.Items items && items.areAtoms()) {
            return scope.graph().elementwise(place, new Operation.Member(items), wanted);
          }
          if (found instanceof Node && wanted instanceof Atom) {
            return scope.library("contains").apply(place, scope.graph(), List.of(found, wanted));
          }
          throw place.error(
              "an s-op or a constant in a list of constants, or a constant in an s-op",
              wanted.kind() + " in " + found.kind(),
              "use select to compare two s-ops");
        });
  }

  /** {@code yes if condition else no}. A constant condition evaluates one branch only. */
  static Expression conditional(Place at, Expression yes, Expression condition, Expression no) {
    return new Expression(
        at,
        (scope, place) -> {
          Value chosen = condition.in(scope);
          return chosen instanceof Atom atom
              ? (atom.isTrue() ? yes : no).in(scope)
              : scope.graph().elementwise(place, Operator.IF, yes.in(scope), chosen, no.in(scope));
        });
  }

  /** A function with arguments, or an s-op or a selector with an input. */
  static Expression call(Place at, Expression callee, List<Argument> arguments) {
    return new Expression(
        at,
        (scope, place) -> {
          Value value = callee.in(scope);
          if (value instanceof Function function) {
            return function.call(place, arguments, scope);
          }
          if (arguments.size() == 1 && (value instanceof Node || value instanceof Value.Scorer)) {
            return Run.on(place, arguments.get(0).value().in(scope), value);
          }
          throw place.error(
              "a function, or an s-op or a selector with one input",
              value.kind(),
              "check the name before the parenthesis");
        });
  }

  static Expression entry(Place at, Expression container, Expression index) {
    return new Expression(
        at,
        (scope, place) -> {
          Value table = container.in(scope);
          Value key = index.in(scope);
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
        });
  }

  static Expression list(Place at, List<Expression> items) {
    return new Expression(
        at,
        (scope, place) ->
            Value.Items.of(place, items.stream().map(item -> item.in(scope)).toList()));
  }

  static Expression comprehension(Place at, Expression item, List<String> names, Expression list) {
    return new Expression(
        at,
        (scope, place) -> {
          List<Value> found = new ArrayList<>();
          for (Value value : Scope.elements(place, list.in(scope))) {
            Scope inner = scope.inner();
            inner.assign(place, names, value);
            found.add(item.in(inner));
          }
          return Value.Items.of(place, found);
        });
  }

  static Expression dictionary(Place at, List<Entry> entries) {
    return new Expression(
        at,
        (scope, place) -> {
          Map<Atom, Value> values = new LinkedHashMap<>();
          for (Entry entry : entries) {
            Value key = entry.key().in(scope);
            if (!(key instanceof Atom atom)) {
              throw scope
                  .at(entry.key().place())
                  .error("a number or a text as a key", key.kind(), "use a constant");
            }
            if (values.keySet().stream().anyMatch(other -> Atom.same(other, atom))) {
              throw scope
                  .at(entry.key().place())
                  .error(
                      "different keys", atom.source() + ", which equals one before", "remove one");
            }
            values.put(atom, entry.value().in(scope));
          }
          return new Value.Table(values);
        });
  }
}
