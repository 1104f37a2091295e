package org.lengthwise.positional.formula;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.error.Count;
import org.lengthwise.positional.formula.Expression.Apply;
import org.lengthwise.positional.formula.Expression.Index;
import org.lengthwise.positional.formula.Expression.Literal;
import org.lengthwise.positional.formula.Expression.Named;
import org.lengthwise.positional.formula.Expression.Sum;

/**
 * Writes the sums of a formula out for one model, whose T_tr, H and D are known, and computes what
 * is constant.
 */
public final class Unrolling {
  /** The most constants, names and operations of a formula whose sums are written out. */
  public static final int MOST_NODES = 5_000;

  private final Map<Variable, Double> constants;
  private final Map<String, Double> indices = new HashMap<>();
  private int numNodes;

  private Unrolling(Map<Variable, Double> constants) {
    this.constants = constants;
  }

  /**
   * {@return the same formula without sums, with the same values in exact arithmetic}
   *
   * @param constants the values of the variables that are known
   * @throws InvalidValueException if a bound of a sum is no whole number, or the formula becomes
   *     too large
   */
  public static Expression of(Expression formula, Map<Variable, Double> constants) {
    return new Unrolling(constants).unroll(formula);
  }

  private Expression unroll(Expression expression) {
    count();
    if (expression instanceof Index index) {
      Double value = indices.get(index.name());
      return value == null ? expression : new Literal(value);
    } else if (expression instanceof Named named) {
      Double value = constants.get(named.variable());
      return value == null ? expression : new Literal(value);
    } else if (expression instanceof Sum sum) {
      return unroll(sum);
    }
    return folded(expression.withParts(this::unroll));
  }

  private void count() {
    numNodes++;
    if (numNodes > MOST_NODES) {
      throw new InvalidValueException(
          "bias", "at most " + Count.of(MOST_NODES) + " operations with sums written out", "more");
    }
  }

  private Expression unroll(Sum sum) {
    long from = bound(sum.from());
    long to = bound(sum.to());
    Expression total = new Literal(0);
    for (long i = from; i <= to; i++) {
      count();
      indices.put(sum.index(), (double) i);
      Expression term = unroll(sum.term());
      total = i == from ? term : folded(new Apply(Operation.ADD, List.of(total, term)));
    }
    indices.remove(sum.index());
    return total;
  }

  private long bound(Expression expression) {
    Expression bound = unroll(expression);
    if (bound instanceof Literal literal && literal.value() == Math.rint(literal.value())) {
      return (long) literal.value();
    }
    throw new InvalidValueException(
        "bias",
        "whole numbers as the bounds of a sum",
        bound instanceof Literal literal ? String.valueOf(literal.value()) : "a variable");
  }

  /** A constant operation becomes a number, if it is finite. */
  private static Expression folded(Expression expression) {
    if (expression instanceof Apply apply
        && apply.arguments().stream().allMatch(Literal.class::isInstance)) {
      double value = new Evaluation(NO_NAMES).of(apply);
      return Double.isFinite(value) ? new Literal(value) : expression;
    }
    return expression;
  }

  private static final Evaluation.Point NO_NAMES =
      new Evaluation.Point() {
        @Override
        public double variable(Variable variable) {
          return Double.NaN;
        }

        @Override
        public double parameter(String name) {
          return Double.NaN;
        }

        @Override
        public double entry(String table, double index) {
          return Double.NaN;
        }
      };
}
