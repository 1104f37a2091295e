package org.lengthwise.rasp;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.error.Nearest;

/** A function: a built-in one, or one that a program defines. */
record Function(String name, List<Parameter> parameters, Body body) implements Value {

  /** The {@code stop} of a range that names only its end. */
  private static final Value OMITTED = new Items(List.of());

  record Parameter(String name, @Nullable Value fallback) {}

  @FunctionalInterface
  interface Body {
    Value apply(Place place, Graph graph, List<Value> arguments);
  }

  Value call(Place place, List<Expression.Argument> arguments, Scope scope) {
    List<String> names = parameters.stream().map(Parameter::name).toList();
    String expected = "arguments (" + String.join(", ", names) + ") of " + name;
    Map<String, Value> given = new HashMap<>();
    for (int i = 0; i < arguments.size(); i++) {
      Expression.Argument argument = arguments.get(i);
      Place at = scope.at(argument.value().place());
      String known = argument.name();
      if (known == null) {
        if (i >= names.size()) {
          throw at.error(expected, arguments.size() + " arguments", "correct the call");
        }
        known = names.get(i);
      } else if (!names.contains(known)) {
        throw at.error(
            expected, "`" + known + "`" + Nearest.suggestion(known, names), "correct the call");
      }
      if (given.put(known, argument.value().in(scope)) != null) {
        throw at.error("each argument of " + name + " once", "`" + known + "` twice", "remove one");
      }
    }
    List<Value> ordered = new ArrayList<>();
    for (Parameter parameter : parameters) {
      Value value = given.get(parameter.name());
      if (value == null) {
        value = parameter.fallback();
      }
      if (value == null) {
        throw place.error(expected, "no `" + parameter.name() + "`", "add the argument");
      }
      ordered.add(value);
    }
    return body.apply(place, scope.graph(), ordered);
  }

  @Override
  public String kind() {
    return "the function " + name;
  }

  /** The functions that are not written in RASP. */
  static List<Function> builtIn() {
    return List.of(
        builtIn("select", Function::select, "keys", "queries", "op"),
        new Function(
            "aggregate",
            List.of(
                new Parameter("selector", null),
                new Parameter("values", null),
                new Parameter("default", Atom.Fraction.ZERO)),
            Function::aggregate),
        builtIn(
            "score",
            (place, graph, a) ->
                new Scorer(graph.sequence(place, a.get(0)), graph.sequence(place, a.get(1))),
            "keys",
            "queries"),
        builtIn("select_best", Function::selectBest, "selector", "score"),
        elementwise("indicator", Operator.INDICATOR, "s"),
        elementwise("round", Operator.ROUND, "s"),
        elementwise("pow", Operator.POWER, "base", "exponent"),
        builtIn(
            "len",
            (place, graph, a) -> Atom.Fraction.of(Scope.elements(place, a.get(0)).size()),
            "list"),
        new Function(
            "range",
            List.of(new Parameter("start", null), new Parameter("stop", OMITTED)),
            Function::range));
  }

  private static Function builtIn(String name, Body body, String... parameters) {
    return new Function(
        name, Stream.of(parameters).map(each -> new Parameter(each, null)).toList(), body);
  }

  private static Function elementwise(String name, Operator operator, String... parameters) {
    return builtIn(
        name,
        (place, graph, a) -> graph.elementwise(place, operator, a.toArray(Value[]::new)),
        parameters);
  }

  private static Value select(Place place, Graph graph, List<Value> a) {
    if (!(a.get(2) instanceof Operator comparison && comparison.isComparison())) {
      throw place.error(
          "one of == != < <= > >= as the third argument", a.get(2).kind(), "select(a, b, ==)");
    }
    Node keys = graph.sequence(place, a.get(0));
    return graph.node(
        place, new Operation.Select(comparison), keys, graph.sequence(place, a.get(1)));
  }

  private static Value aggregate(Place place, Graph graph, List<Value> a) {
    if (!(a.get(2) instanceof Atom otherwise)) {
      throw place.error("a constant as default", a.get(2).kind(), "use a number or a text");
    }
    Node selector = graph.selector(place, a.get(0));
    return graph.node(
        place, new Operation.Aggregate(otherwise), selector, graph.sequence(place, a.get(1)));
  }

  private static Value selectBest(Place place, Graph graph, List<Value> a) {
    if (!(a.get(1) instanceof Scorer scorer)) {
      throw place.error("a score", a.get(1).kind(), "make one with score(keys, queries)");
    }
    return graph.node(
        place, new Operation.Best(), graph.selector(place, a.get(0)), scorer.key(), scorer.query());
  }

  private static Value range(Place place, Graph graph, List<Value> a) {
    boolean hasStop = a.get(1) != OMITTED;
    int start = hasStop ? bound(place, a.get(0)) : 0;
    int stop = bound(place, a.get(hasStop ? 1 : 0));
    return Items.of(place, IntStream.range(start, stop).mapToObj(Atom.Fraction::of).toList());
  }

  private static int bound(Place place, Value value) {
    if (value instanceof Atom atom) {
      return atom.whole(place, -Items.MOST, Items.MOST);
    }
    throw place.error("a number", value.kind(), "use a constant");
  }
}
