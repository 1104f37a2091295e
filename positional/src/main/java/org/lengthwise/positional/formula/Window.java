package org.lengthwise.positional.formula;

import java.util.Map;
import java.util.OptionalInt;

/** The window of a condition such as {@code delta < 256}. */
public final class Window {
  private static final int LARGEST = 1_000_000;

  private Window() {}

  /**
   * Reads comparisons of delta with a constant, and their conjunctions.
   *
   * @param constants the variables whose values are known
   * @return W: a query sees the keys at the distances 0..W-1. Empty if the condition is no window
   */
  public static OptionalInt of(Expression condition, Map<Variable, Double> constants) {
    double window = read(condition, constants);
    return window >= 1 && window <= LARGEST ? OptionalInt.of((int) window) : OptionalInt.empty();
  }

  /** W of a condition, or NaN. */
  private static double read(Expression condition, Map<Variable, Double> constants) {
    if (!(condition instanceof Expression.Apply apply) || apply.arguments().size() != 2) {
      return Double.NaN;
    }
    Expression left = apply.arguments().get(0);
    Expression right = apply.arguments().get(1);
    boolean isMirrored = right.equals(new Expression.Named(Variable.DELTA));
    if (apply.operation() == Operation.AND) {
      return Math.min(read(left, constants), read(right, constants));
    } else if (!isMirrored && !left.equals(new Expression.Named(Variable.DELTA))) {
      return Double.NaN;
    }
    double end = constant(isMirrored ? left : right, constants);
    return switch (apply.operation()) {
      case LESS -> isMirrored ? Double.NaN : Math.ceil(end);
      case AT_MOST -> isMirrored ? Double.NaN : Math.floor(end) + 1;
      case MORE -> isMirrored ? Math.ceil(end) : Double.NaN;
      case AT_LEAST -> isMirrored ? Math.floor(end) + 1 : Double.NaN;
      default -> Double.NaN;
    };
  }

  private static double constant(Expression expression, Map<Variable, Double> constants) {
    return Unrolling.of(expression, constants) instanceof Expression.Literal literal
        ? literal.value()
        : Double.NaN;
  }
}
