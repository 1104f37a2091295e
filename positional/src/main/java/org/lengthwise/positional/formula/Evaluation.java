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
 *
 * <p>A part with parameters may be infinite where the formula is not, as in {@code tanh(p /
 * delta)}. Its gradient would not be a number, so the evaluation remembers such a part.
 */
public final class Evaluation {
  private final Point point;
  private final Map<String, Double> indices = new HashMap<>();
  private boolean isLearned;
  private double infinite;

  public Evaluation(Point point) {
    this.point = point;
  }

  /** The variables and parameters of one pair of positions. */
  public interface Point {

    double variable(Variable variable);

    /** {@return the value of a parameter without a size, for the head and the block} */
    double parameter(String name);

    /** {@return an entry of a parameter with a size; the index is a whole number or not finite} */
    double entry(String table, double index);
  }

  /** {@return the value of a formula, which may be infinite or not a number} */
  public double of(Expression expression) {
    if (expression instanceof Literal literal) {
      return literal.value();
    } else if (expression instanceof Named named) {
      return point.variable(named.variable());
    } else if (expression instanceof Index index) {
      return indices.getOrDefault(index.name(), Double.NaN);
    } else if (expression instanceof Parameter parameter) {
      isLearned = true;
      return point.parameter(parameter.name());
    } else if (expression instanceof Entry entry) {
      double index = Math.floor(of(entry.index()));
      isLearned = true;
      return point.entry(entry.table(), index);
    } else if (expression instanceof Choice choice) {
      return of(holds(choice.condition()) ? choice.then() : choice.otherwise());
    } else if (expression instanceof Apply apply) {
      return apply(apply);
    } else if (expression instanceof Sum sum) {
      return sum(sum);
    }
    throw new AssertionError(expression);
  }

  private double apply(Apply apply) {
    boolean wasLearned = isLearned;
    isLearned = false;
    double first = of(apply.arguments().get(0));
    double second = apply.arguments().size() > 1 ? of(apply.arguments().get(1)) : first;
    double value = apply.operation().of(first, second);
    if (isLearned && !Float.isFinite((float) value)) {
      infinite = value;
    }
    isLearned |= wasLearned;
    return value;
  }

  /** A condition has no gradient, so its parts may be infinite, and its parameters do not count. */
  private boolean holds(Expression condition) {
    double before = infinite;
    boolean wasLearned = isLearned;
    boolean holds = of(condition) != 0;
    infinite = before;
    isLearned = wasLearned;
    return holds;
  }

  /**
   * {@return the last value of a part with parameters that was beyond the numbers of float32; 0 if
   * there was none}
   */
  public double infinite() {
    return infinite;
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
