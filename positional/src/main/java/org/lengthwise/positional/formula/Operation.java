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
  NEGATE("-", x -> -x, "torch.neg(%s)"),
  ADD("+", Double::sum, "torch.add(%s, %s)"),
  SUBTRACT("-", (x, y) -> x - y, "torch.sub(%s, %s)"),
  MULTIPLY("*", (x, y) -> x * y, "torch.mul(%s, %s)"),
  DIVIDE("/", (x, y) -> x / y, "torch.div(%s, %s)"),
  POWER("^", Math::pow, "torch.pow(%s, %s)"),
  MIN("min", Math::min, "torch.minimum(%s, %s)"),
  MAX("max", Math::max, "torch.maximum(%s, %s)"),
  ABS("abs", Math::abs, "torch.abs(%s)"),
  FLOOR("floor", Math::floor, "torch.floor(%s)"),
  CEIL("ceil", Math::ceil, "torch.ceil(%s)"),
  EXP("exp", Math::exp, "torch.exp(%s)"),
  LOG("log", Math::log, "torch.log(%s)"),
  LOG1P("log1p", Math::log1p, "torch.log1p(%s)"),
  SQRT("sqrt", Math::sqrt, "torch.sqrt(%s)"),
  SIN("sin", Math::sin, "torch.sin(%s)"),
  COS("cos", Math::cos, "torch.cos(%s)"),
  TANH("tanh", Math::tanh, "torch.tanh(%s)"),
  SIGMOID("sigmoid", x -> 1 / (1 + Math.exp(-x)), "torch.sigmoid(%s)"),
  RELU("relu", x -> Math.max(0, x), "torch.relu(%s)"),
  LESS("<", (x, y) -> number(x < y), "torch.type_as(torch.lt(%1$s, %2$s), %1$s)"),
  AT_MOST("<=", (x, y) -> number(x <= y), "torch.type_as(torch.le(%1$s, %2$s), %1$s)"),
  MORE(">", (x, y) -> number(x > y), "torch.type_as(torch.gt(%1$s, %2$s), %1$s)"),
  AT_LEAST(">=", (x, y) -> number(x >= y), "torch.type_as(torch.ge(%1$s, %2$s), %1$s)"),
  EQUAL("==", (x, y) -> number(x == y), "torch.type_as(torch.eq(%1$s, %2$s), %1$s)"),
  UNEQUAL("!=", (x, y) -> number(x != y), "torch.type_as(torch.ne(%1$s, %2$s), %1$s)"),
  AND(
      "and",
      (x, y) -> number(x != 0 && y != 0),
      "torch.type_as(torch.__and__(torch.ne(%1$s, 0), torch.ne(%2$s, 0)), %1$s)"),
  OR(
      "or",
      (x, y) -> number(x != 0 || y != 0),
      "torch.type_as(torch.__or__(torch.ne(%1$s, 0), torch.ne(%2$s, 0)), %1$s)"),
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

  String symbol() {
    return symbol;
  }

  int arity() {
    return arity;
  }

  /** The result for one argument, or for two. The second is ignored if there is one. */
  double of(double x, double y) {
    return value.applyAsDouble(x, y);
  }

  String torchScript(Object... arguments) {
    return torchScript.formatted(arguments);
  }

  static Optional<Operation> of(String symbol, int arity) {
    return Arrays.stream(values())
        .filter(operation -> operation.symbol.equals(symbol) && operation.arity == arity)
        .findFirst();
  }
}
