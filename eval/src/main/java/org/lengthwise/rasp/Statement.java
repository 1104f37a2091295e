package org.lengthwise.rasp;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A statement of a program. */
record Statement(Place place, Consumer<Scope> effect) {

  /** A parameter, with the value that a call may omit. */
  record Parameter(String name, @Nullable Expression fallback) {}

  void execute(Scope scope) {
    effect.accept(scope);
  }

  /** {@code names = values;}. */
  static Statement assign(Place place, List<String> names, Expression values) {
    return new Statement(place, scope -> scope.assign(place, names, values.in(scope)));
  }

  /** The definition of a function. */
  static Statement define(
      Place place,
      String name,
      List<Parameter> parameters,
      List<Statement> body,
      Expression result) {
    return new Statement(
        place,
        scope -> {
          List<Function.Parameter> evaluated =
              parameters.stream().map(parameter -> evaluated(parameter, scope)).toList();
          Function.Body run =
              (caller, graph, arguments) -> {
                Scope inner = scope.inner();
                for (int i = 0; i < arguments.size(); i++) {
                  inner.set(evaluated.get(i).name(), arguments.get(i));
                }
                body.forEach(statement -> statement.execute(inner));
                return result.in(inner);
              };
          scope.set(name, new Function(name, evaluated, run));
        });
  }

  private static Function.Parameter evaluated(Parameter parameter, Scope scope) {
    Expression fallback = parameter.fallback();
    return new Function.Parameter(parameter.name(), fallback == null ? null : fallback.in(scope));
  }

  /** {@code for names in list { body }}. */
  static Statement repeat(Place place, List<String> names, Expression list, List<Statement> body) {
    return new Statement(
        place,
        scope -> {
          for (Value value : Scope.elements(list.place(), list.in(scope))) {
            scope.assign(list.place(), names, value);
            body.forEach(statement -> statement.execute(scope));
          }
        });
  }

  /** {@code draw(sOp, input);}. It is run, but only {@code --draw} makes a picture. */
  static Statement draw(Place place, Expression sOp, Expression input) {
    return new Statement(
        place,
        scope -> {
          Node node = scope.graph().sOp(sOp.place(), sOp.in(scope));
          Run.on(input.place(), input.in(scope), node);
        });
  }
}
