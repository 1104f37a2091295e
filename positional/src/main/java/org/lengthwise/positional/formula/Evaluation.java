package org.lengthwise.positional.formula;

import java.util.HashMap;
import java.util.Map;
import org.lengthwise.positional.formula.Expression.Apply;
import org.lengthwise.positional.formula.Expression.Choice;
import org.lengthwise.positional.formula.Expression.Entry;
import org.lengthwise.positional.formula.Expression.Index;
import org.lengthwise.positional.formula.Expression.Literal;
import org.lengthwise.positional.formula.Expression.Named;
import org.lengthwise.positional.formula.Expression.Parameter;
import org.lengthwise.positional.formula.Expression.Sum;

/**
 * The reference: the value of a formula for one pair of positions, in plain doubles. One thread
 * uses it.
 */
public final class Evaluation {
  private final Point point;
  private final Map<String, Double> indices = new HashMap<>();

  /**
   * An evaluation at one point.
   *
   * @param point the variables and parameters
   */
  public Evaluation(Point point) {
    this.point = point;
  }

  /** The variables and parameters of one pair of positions. */
  public interface Point {

    /**
     * A variable.
     *
     * @param variable the variable
     * @return its value
     */
    double variable(Variable variable);

    /**
     * A parameter without a size.
     *
     * @param name its name
     * @return its value for the head and the block
     */
    double parameter(String name);

    /**
     * An entry of a parameter with a size.
     *
     * @param table the parameter's name
     * @param index the entry, a whole number or not finite
     * @return its value for the head and the block
     */
    double entry(String table, double index);
  }

  /**
   * The value of a formula.
   *
   * @param expression the formula
   * @return its value, which may be infinite or not a number
   */
  public double of(Expression expression) {
    if (expression instanceof Literal literal) {
      return literal.value();
    } else if (expression instanceof Named named) {
      return point.variable(named.variable());
    } else if (expression instanceof Index index) {
      return indices.getOrDefault(index.name(), Double.NaN);
    } else if (expression instanceof Parameter parameter) {
      return point.parameter(parameter.name());
    } else if (expression instanceof Entry entry) {
      return point.entry(entry.table(), Math.floor(of(entry.index())));
    } else if (expression instanceof Choice choice) {
      return of(of(choice.condition()) != 0 ? choice.then() : choice.otherwise());
    } else if (expression instanceof Apply apply) {
      double first = of(apply.arguments().get(0));
      double second = apply.arguments().size() > 1 ? of(apply.arguments().get(1)) : first;
      return apply.operation().of(first, second);
    } else if (expression instanceof Sum sum) {
      return sum(sum);
    }
    throw new AssertionError(expression);
  }

  private double sum(Sum sum) {
    double total = 0;
    long to = Math.round(of(sum.to()));
    for (long i = Math.round(of(sum.from())); i <= to; i++) {
      indices.put(sum.index(), (double) i);
      total += of(sum.term());
    }
    indices.remove(sum.index());
    return total;
  }
}
