package org.lengthwise.positional.formula;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/**
 * An operator or a function of one or two arguments, as plain doubles and as TorchScript.
 * Comparisons and logical operations give 0 or 1, and every number except 0 is true.
 */
public enum Operation {
  /** A sign. */
  NEGATE("-", x -> -x, "torch.neg(%s)"),
  /** A sum. */
  ADD("+", Double::sum, "torch.add(%s, %s)"),
  /** A difference. */
  SUBTRACT("-", (x, y) -> x - y, "torch.sub(%s, %s)"),
  /** A product. */
  MULTIPLY("*", (x, y) -> x * y, "torch.mul(%s, %s)"),
  /** A quotient. */
  DIVIDE("/", (x, y) -> x / y, "torch.div(%s, %s)"),
  /** A power. */
  POWER("^", Math::pow, "torch.pow(%s, %s)"),
  /** The smaller of two numbers. */
  MIN("min", Math::min, "torch.minimum(%s, %s)"),
  /** The larger of two numbers. */
  MAX("max", Math::max, "torch.maximum(%s, %s)"),
  /** The absolute value. */
  ABS("abs", Math::abs, "torch.abs(%s)"),
  /** The largest whole number that is not larger. */
  FLOOR("floor", Math::floor, "torch.floor(%s)"),
  /** The smallest whole number that is not smaller. */
  CEIL("ceil", Math::ceil, "torch.ceil(%s)"),
  /** A power of e. */
  EXP("exp", Math::exp, "torch.exp(%s)"),
  /** The natural logarithm. */
  LOG("log", Math::log, "torch.log(%s)"),
  /** ln(1 + x). */
  LOG1P("log1p", Math::log1p, "torch.log1p(%s)"),
  /** The square root. */
  SQRT("sqrt", Math::sqrt, "torch.sqrt(%s)"),
  /** The sine of an angle in radians. */
  SIN("sin", Math::sin, "torch.sin(%s)"),
  /** The cosine of an angle in radians. */
  COS("cos", Math::cos, "torch.cos(%s)"),
  /** The hyperbolic tangent. */
  TANH("tanh", Math::tanh, "torch.tanh(%s)"),
  /** 1 / (1 + e<sup>-x</sup>). */
  SIGMOID("sigmoid", x -> 1 / (1 + Math.exp(-x)), "torch.sigmoid(%s)"),
  /** max(0, x). */
  RELU("relu", x -> Math.max(0, x), "torch.relu(%s)"),
  /** Less than. */
  LESS("<", (x, y) -> number(x < y), "torch.type_as(torch.lt(%1$s, %2$s), %1$s)"),
  /** At most. */
  AT_MOST("<=", (x, y) -> number(x <= y), "torch.type_as(torch.le(%1$s, %2$s), %1$s)"),
  /** More than. */
  MORE(">", (x, y) -> number(x > y), "torch.type_as(torch.gt(%1$s, %2$s), %1$s)"),
  /** At least. */
  AT_LEAST(">=", (x, y) -> number(x >= y), "torch.type_as(torch.ge(%1$s, %2$s), %1$s)"),
  /** Equal. */
  EQUAL("==", (x, y) -> number(x == y), "torch.type_as(torch.eq(%1$s, %2$s), %1$s)"),
  /** Not equal. */
  UNEQUAL("!=", (x, y) -> number(x != y), "torch.type_as(torch.ne(%1$s, %2$s), %1$s)"),
  /** Whether both are true. */
  AND(
      "and",
      (x, y) -> number(x != 0 && y != 0),
      "torch.type_as(torch.__and__(torch.ne(%1$s, 0), torch.ne(%2$s, 0)), %1$s)"),
  /** Whether one is true. */
  OR(
      "or",
      (x, y) -> number(x != 0 || y != 0),
      "torch.type_as(torch.__or__(torch.ne(%1$s, 0), torch.ne(%2$s, 0)), %1$s)"),
  /** Whether it is false. */
  NOT("not", x -> number(x == 0), "torch.type_as(torch.eq(%1$s, 0), %1$s)");

  private final String symbol;
  private final int arity;

  @SuppressWarnings("ImmutableEnumChecker") // the functions have no state
  private final DoubleBinaryOperator value;

  private final String torchScript;

  Operation(String symbol, DoubleUnaryOperator value, String torchScript) {
    this.symbol = symbol;
    this.arity = 1;
    this.value = (x, unused) -> value.applyAsDouble(x);
    this.torchScript = torchScript;
  }

  Operation(String symbol, DoubleBinaryOperator value, String torchScript) {
    this.symbol = symbol;
    this.arity = 2;
    this.value = value;
    this.torchScript = torchScript;
  }

  private static double number(boolean isTrue) {
    return isTrue ? 1 : 0;
  }

  /** The sign or name in a formula. */
  String symbol() {
    return symbol;
  }

  /** The number of arguments, 1 or 2. */
  int arity() {
    return arity;
  }

  /** The result for one argument, or for two. The second is ignored if there is one. */
  double of(double x, double y) {
    return value.applyAsDouble(x, y);
  }

  /** The call in TorchScript. */
  String torchScript(Object... arguments) {
    return torchScript.formatted(arguments);
  }

  /** The operator or function with a sign or name and a number of arguments. */
  static Optional<Operation> of(String symbol, int arity) {
    return Arrays.stream(values())
        .filter(operation -> operation.symbol.equals(symbol) && operation.arity == arity)
        .findFirst();
  }
}
