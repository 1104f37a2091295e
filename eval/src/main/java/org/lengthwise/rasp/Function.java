package org.lengthwise.rasp;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.error.Nearest;

/** A function: a built-in one, or one that a program defines. */
sealed interface Function extends Value {

  /** A parameter, with the value that a call may omit. */
  record Parameter(String name, @Nullable Value fallback) {}

  String name();

  List<Parameter> parameters();

  /** The result for one argument of each parameter. */
  Value apply(Place place, Graph graph, List<Value> arguments);

  /** Arguments in the order of the parameters. */
  default List<Value> bind(Place place, List<Expression.Argument> arguments, Scope scope) {
    List<String> names = parameters().stream().map(Parameter::name).toList();
    Map<String, Value> given = new HashMap<>();
    for (int i = 0; i < arguments.size(); i++) {
      Expression.Argument argument = arguments.get(i);
      String name = argument.name();
      if (name == null && i < names.size()) {
        name = names.get(i);
      }
      if (name == null || !names.contains(name)) {
        throw argument
            .value()
            .place()
            .error(
                "arguments (" + String.join(", ", names) + ") of " + name(),
                argument + (name == null ? "" : Nearest.suggestion(name, names)),
                "correct the call");
      }
      if (given.put(name, argument.value().evaluate(scope)) != null) {
        throw argument
            .value()
            .place()
            .error("each argument of " + name() + " once", "`" + name + "` twice", "remove one");
      }
    }
    List<Value> bound = new ArrayList<>();
    for (Parameter parameter : parameters()) {
      Value value = given.get(parameter.name());
      if (value == null) {
        value = parameter.fallback();
      }
      if (value == null) {
        throw place.error(
            "arguments (" + String.join(", ", names) + ") of " + name(),
            "no `" + parameter.name() + "`",
            "add the argument");
      }
      bound.add(value);
    }
    return bound;
  }

  @Override
  default String kind() {
    return "the function " + name();
  }

  /** A function that a program defines. */
  record Defined(
      String name,
      List<Parameter> parameters,
      List<Statement> body,
      List<Expression> results,
      Place place,
      Scope scope)
      implements Function {
    @Override
    public Value apply(Place caller, Graph graph, List<Value> arguments) {
      Scope inner = scope.inner();
      for (int i = 0; i < arguments.size(); i++) {
        inner.set(parameters.get(i).name(), arguments.get(i));
      }
      body.forEach(statement -> statement.execute(inner));
      return Statement.oneOrList(place, results, inner);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** What a built-in function does. */
  @FunctionalInterface
  interface Body {
    Value apply(Place place, Graph graph, List<Value> arguments);
  }

  /** A built-in function. */
  record BuiltIn(String name, List<Parameter> parameters, Body body) implements Function {
    @Override
    public Value apply(Place place, Graph graph, List<Value> arguments) {
      return body.apply(place, graph, arguments);
    }
  }

  /** The functions that are not written in RASP. */
  static List<Function> builtIn() {
    return List.of(
        new BuiltIn("select", required("keys", "queries", "op"), Function::select),
        new BuiltIn(
            "aggregate",
            List.of(
                new Parameter("selector", null),
                new Parameter("values", null),
                new Parameter("default", Atom.Fraction.ZERO)),
            Function::aggregate),
        new BuiltIn(
            "score",
            required("keys", "queries"),
            (place, graph, a) ->
                new Scorer(graph.sequence(place, a.get(0)), graph.sequence(place, a.get(1)))),
        new BuiltIn("select_best", required("selector", "score"), Function::selectBest),
        elementwise("indicator", Operator.INDICATOR, "s"),
        elementwise("round", Operator.ROUND, "s"),
        elementwise("pow", Operator.POWER, "base", "exponent"),
        new BuiltIn(
            "len",
            required("list"),
            (place, graph, a) -> Atom.Fraction.of(Scope.elements(place, a.get(0)).size())),
        new BuiltIn(
            "range",
            List.of(new Parameter("start", null), new Parameter("stop", new Atom.Truth(false))),
            (place, graph, a) -> range(place, a)));
  }

  private static List<Parameter> required(String... names) {
    return List.of(names).stream().map(name -> new Parameter(name, null)).toList();
  }

  private static BuiltIn elementwise(String name, Operator operator, String... parameters) {
    return new BuiltIn(
        name,
        required(parameters),
        (place, graph, a) -> graph.elementwise(place, operator, a.toArray(Value[]::new)));
  }

  private static Value select(Place place, Graph graph, List<Value> a) {
    if (!(a.get(2) instanceof Operator comparison && comparison.isComparison())) {
      throw place.error(
          "one of == != < <= > >= as the third argument", a.get(2).kind(), "select(a, b, ==)");
    }
    return graph.node(
        place,
        new Operation.Select(comparison),
        graph.sequence(place, a.get(0)),
        graph.sequence(place, a.get(1)));
  }

  private static Value aggregate(Place place, Graph graph, List<Value> a) {
    if (!(a.get(2) instanceof Atom otherwise)) {
      throw place.error("a constant as default", a.get(2).kind(), "use a number or a text");
    }
    return graph.node(
        place,
        new Operation.Aggregate(otherwise),
        graph.selector(place, a.get(0)),
        graph.sequence(place, a.get(1)));
  }

  private static Value selectBest(Place place, Graph graph, List<Value> a) {
    if (!(a.get(1) instanceof Scorer scorer)) {
      throw place.error("a score", a.get(1).kind(), "make one with score(keys, queries)");
    }
    return graph.node(
        place, new Operation.Best(), graph.selector(place, a.get(0)), scorer.key(), scorer.query());
  }

  private static Value range(Place place, List<Value> a) {
    boolean hasStop = !(a.get(1) instanceof Atom.Truth);
    int start = hasStop ? whole(place, a.get(0)) : 0;
    int stop = whole(place, a.get(hasStop ? 1 : 0));
    return Items.of(place, IntStream.range(start, stop).mapToObj(Atom.Fraction::of).toList());
  }

  private static int whole(Place place, Value value) {
    if (value instanceof Atom.Fraction number
        && number.isWhole()
        && number.value().getNumerator().bitLength() <= 20) {
      return number.value().intValue();
    }
    throw place.error("a whole number below 1,000,000", value.kind(), "use a smaller constant");
  }
}
