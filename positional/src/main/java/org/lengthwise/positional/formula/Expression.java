package org.lengthwise.positional.formula;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** A formula as a tree; immutable. */
public sealed interface Expression {

  record Literal(double value) implements Expression {}

  /** A variable of all formulas. */
  record Named(Variable variable) implements Expression {}

  /** The variable of a sum. */
  record Index(String name) implements Expression {}

  /** A parameter without a size. */
  record Parameter(String name) implements Expression {}

  /**
   * An entry of a parameter with a size.
   *
   * @param index the entry, from 0, rounded down
   */
  record Entry(String table, Expression index) implements Expression {}

  record Apply(Operation operation, List<Expression> arguments) implements Expression {
    public Apply {
      arguments = List.copyOf(arguments);
    }
  }

  /**
   * A choice: any condition except 0 chooses the first branch, and only the chosen one is computed.
   */
  record Choice(Expression condition, Expression then, Expression otherwise)
      implements Expression {}

  /**
   * A sum over whole numbers.
   *
   * @param index the name of the variable
   * @param from its first value, the same for a whole model
   * @param to its last value, the same for a whole model
   */
  record Sum(String index, Expression from, Expression to, Expression term) implements Expression {}

  default List<Expression> parts() {
    if (this instanceof Apply apply) {
      return apply.arguments();
    } else if (this instanceof Choice choice) {
      return List.of(choice.condition(), choice.then(), choice.otherwise());
    } else if (this instanceof Entry entry) {
      return List.of(entry.index());
    } else if (this instanceof Sum sum) {
      return List.of(sum.from(), sum.to(), sum.term());
    }
    return List.of();
  }

  /** {@return this expression and everything below it: all nodes of the tree} */
  default Stream<Expression> nodes() {
    List<Expression> nodes = new ArrayList<>(List.of(this));
    for (int i = 0; i < nodes.size(); i++) {
      nodes.addAll(nodes.get(i).parts());
    }
    return nodes.stream();
  }

  default boolean uses(Variable variable) {
    return nodes().anyMatch(new Named(variable)::equals);
  }

  default List<String> parameters() {
    return nodes()
        .flatMap(
            node ->
                node instanceof Parameter parameter
                    ? Stream.of(parameter.name())
                    : node instanceof Entry entry ? Stream.of(entry.table()) : Stream.empty())
        .distinct()
        .toList();
  }

  /**
   * {@return the absolute value of the factor by which an entry of a table is multiplied before it
   * is added to the value; 0 or NaN if the table is not added with a constant factor}
   *
   * @param table the name of a parameter with a size
   * @param constants the values of the variables that are known
   */
  default double factor(String table, Map<Variable, Double> constants) {
    if (this instanceof Entry entry) {
      return entry.table().equals(table) ? 1 : 0;
    }
    List<Expression> with =
        parts().stream().filter(part -> part.parameters().contains(table)).toList();
    if (with.size() != 1) {
      return 0;
    }
    double factor = with.get(0).factor(table, constants);
    if (this instanceof Choice choice) {
      return choice.condition().equals(with.get(0)) ? 0 : factor;
    } else if (this instanceof Apply apply) {
      boolean isFirst = apply.arguments().get(0).equals(with.get(0));
      Expression other = apply.arguments().get(isFirst ? apply.arguments().size() - 1 : 0);
      return switch (apply.operation()) {
        case ADD, SUBTRACT, NEGATE -> factor;
        case MULTIPLY -> factor * other.constant(constants);
        case DIVIDE -> isFirst ? factor / other.constant(constants) : 0;
        default -> 0;
      };
    }
    return 0;
  }

  private double constant(Map<Variable, Double> constants) {
    return Unrolling.of(this, constants) instanceof Literal literal
        ? Math.abs(literal.value())
        : Double.NaN;
  }

  default Expression withParts(Function<Expression, Expression> change) {
    if (this instanceof Apply apply) {
      return new Apply(apply.operation(), apply.arguments().stream().map(change).toList());
    } else if (this instanceof Choice choice) {
      return new Choice(
          change.apply(choice.condition()),
          change.apply(choice.then()),
          change.apply(choice.otherwise()));
    } else if (this instanceof Entry entry) {
      return new Entry(entry.table(), change.apply(entry.index()));
    } else if (this instanceof Sum sum) {
      return new Sum(
          sum.index(), change.apply(sum.from()), change.apply(sum.to()), change.apply(sum.term()));
    }
    return this;
  }
}
