package org.lengthwise.rasp;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement of a program. */
sealed interface Statement {
  Place place();

  void execute(Scope scope);

  /** {@code names = values;}. */
  record Assign(Place place, List<String> names, List<Expression> values) implements Statement {
    @Override
    public void execute(Scope scope) {
      scope.assign(place, names, oneOrList(place, values, scope));
    }
  }

  /** A parameter, with the value that a call may omit. */
  record Declared(String name, @Nullable Expression fallback) {}

  /** The definition of a function. */
  record Define(
      Place place,
      String name,
      List<Declared> parameters,
      List<Statement> body,
      List<Expression> results)
      implements Statement {
    @Override
    public void execute(Scope scope) {
      List<Function.Parameter> evaluated = new ArrayList<>();
      for (Declared parameter : parameters) {
        Expression fallback = parameter.fallback();
        evaluated.add(
            new Function.Parameter(
                parameter.name(), fallback == null ? null : fallback.evaluate(scope)));
      }
      scope.set(name, new Function.Defined(name, evaluated, body, results, place, scope));
    }
  }

  /** {@code for names in source { body }}. */
  record For(Place place, List<String> names, Expression source, List<Statement> body)
      implements Statement {
    @Override
    public void execute(Scope scope) {
      for (Value value : Scope.elements(source.place(), source.evaluate(scope))) {
        scope.assign(source.place(), names, value);
        body.forEach(statement -> statement.execute(scope));
      }
    }
  }

  /** An expression whose value nothing uses. */
  record Evaluate(Place place, Expression expression) implements Statement {
    @Override
    public void execute(Scope scope) {
      expression.evaluate(scope);
    }
  }

  /** {@code draw(sOp, input);}. It is run, but only {@code --draw} makes a picture. */
  record Draw(Place place, Expression sOp, Expression input) implements Statement {
    @Override
    public void execute(Scope scope) {
      Node node = scope.graph().sOp(sOp.place(), sOp.evaluate(scope));
      Run.on(input.place(), input.evaluate(scope), node);
    }
  }

  /** {@code load "file";}. */
  record Load(Place place, String file) implements Statement {
    @Override
    public void execute(Scope scope) {
      scope.load(place, file);
    }
  }

  /** The value of one expression, or the list of several. */
  static Value oneOrList(Place place, List<Expression> expressions, Scope scope) {
    return expressions.size() == 1
        ? expressions.get(0).evaluate(scope)
        : new Expression.Listing(place, expressions).evaluate(scope);
  }
}
