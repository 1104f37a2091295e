package org.lengthwise.rasp;

import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;
import org.apache.commons.numbers.fraction.BigFraction;

/** An operation on the values of one position. The comparisons also make selectors. */
@SuppressWarnings("ImmutableEnumChecker") // every rule is a function without state
enum Operator implements Value, Operation.Elementwise {
  ADD("+", 2, Operator::add),
  SUBTRACT("-", 2, numbers(BigFraction::subtract)),
  MULTIPLY("*", 2, numbers(BigFraction::multiply)),
  DIVIDE("/", 2, Operator::divide),
  REMAINDER("%", 2, Operator::remainder),
  POWER("^", 2, Operator::power),
  EQUAL("=="),
  DIFFERENT("!="),
  LESS("<"),
  LESS_OR_EQUAL("<="),
  GREATER(">"),
  GREATER_OR_EQUAL(">="),
  AND("and", 2, (place, a) -> new Atom.Truth(a.get(0).isTrue() && a.get(1).isTrue())),
  OR("or", 2, (place, a) -> new Atom.Truth(a.get(0).isTrue() || a.get(1).isTrue())),
  NOT("not", 1, (place, a) -> new Atom.Truth(!a.get(0).isTrue())),
  NEGATE("-", 1, (place, a) -> new Atom.Fraction(a.get(0).number(place).negate())),
  POSITIVE("+", 1, (place, a) -> new Atom.Fraction(a.get(0).number(place))),
  ROUND("round", 1, Operator::round),
  INDICATOR("indicator", 1, (place, a) -> Atom.Fraction.of(a.get(0).isTrue() ? 1 : 0)),
  IF("if", 3, (place, a) -> a.get(1).isTrue() ? a.get(0) : a.get(2));

  private interface Rule {
    Atom apply(Place place, List<Atom> values);
  }

  private final String symbol;
  private final int numOperands;
  private final Rule rule;

  Operator(String symbol, int numOperands, Rule rule) {
    this.symbol = symbol;
    this.numOperands = numOperands;
    this.rule = rule;
  }

  Operator(String symbol) {
    this.symbol = symbol;
    this.numOperands = 2;
    this.rule = (place, a) -> new Atom.Truth(holds(place, a.get(0), a.get(1)));
  }

  static Optional<Operator> of(String symbol, int numOperands) {
    return Arrays.stream(values())
        .filter(o -> o.numOperands == numOperands && o.symbol.equals(symbol))
        .findFirst();
  }

  boolean isComparison() {
    return EQUAL.compareTo(this) <= 0 && compareTo(GREATER_OR_EQUAL) <= 0;
  }

  boolean holds(Place place, Atom left, Atom right) {
    return switch (this) {
      case EQUAL -> Atom.same(left, right);
      case DIFFERENT -> !Atom.same(left, right);
      case LESS -> Atom.compare(place, left, right) < 0;
      case LESS_OR_EQUAL -> Atom.compare(place, left, right) <= 0;
      case GREATER -> Atom.compare(place, left, right) > 0;
      case GREATER_OR_EQUAL -> Atom.compare(place, left, right) >= 0;
      default -> throw new IllegalStateException(this + " is no comparison");
    };
  }

  @Override
  public Atom apply(Place place, List<Atom> values) {
    return rule.apply(place, values);
  }

  @Override
  public String text(List<String> inputs) {
    return switch (this) {
      case ROUND, INDICATOR -> symbol + "(" + Operation.bare(inputs.get(0)) + ")";
      case NOT -> "(not " + inputs.get(0) + ")";
      case NEGATE, POSITIVE -> "(" + symbol + inputs.get(0) + ")";
      case IF -> "(" + inputs.get(0) + " if " + inputs.get(1) + " else " + inputs.get(2) + ")";
      default -> "(" + inputs.get(0) + " " + symbol + " " + inputs.get(1) + ")";
    };
  }

  @Override
  public String kind() {
    return "the operator " + symbol;
  }

  @Override
  public String toString() {
    return symbol;
  }

  private static Rule numbers(BinaryOperator<BigFraction> rule) {
    return (place, a) ->
        Atom.Fraction.of(place, rule.apply(a.get(0).number(place), a.get(1).number(place)));
  }

  private static Atom add(Place place, List<Atom> a) {
    if (a.get(0) instanceof Atom.Text left && a.get(1) instanceof Atom.Text right) {
      return Atom.Text.of(place, left.value() + right.value());
    }
    return numbers(BigFraction::add).apply(place, a);
  }

  private static Atom divide(Place place, List<Atom> a) {
    return Atom.Fraction.of(place, a.get(0).number(place).divide(divisor(place, a.get(1))));
  }

  /** The remainder has the divisor's sign, as in Python. */
  private static Atom remainder(Place place, List<Atom> a) {
    BigFraction left = a.get(0).number(place);
    BigFraction right = divisor(place, a.get(1));
    BigInteger quotient = Atom.Fraction.rounded(left.divide(right), RoundingMode.FLOOR);
    return Atom.Fraction.of(place, left.subtract(right.multiply(quotient)));
  }

  private static BigFraction divisor(Place place, Atom atom) {
    BigFraction divisor = atom.number(place);
    if (divisor.signum() == 0) {
      throw place.error("a divisor other than 0", "0", "check the divisor at every position");
    }
    return divisor;
  }

  private static Atom power(Place place, List<Atom> a) {
    BigFraction base = a.get(0).number(place);
    BigFraction exponent = a.get(1).number(place);
    if (!exponent.getDenominator().equals(BigInteger.ONE)) {
      throw place.error("a whole exponent", a.get(1).kind(), "a root is not exact");
    }
    long bits = Math.max(base.getNumerator().bitLength(), base.getDenominator().bitLength());
    if (exponent.getNumerator().abs().multiply(BigInteger.valueOf(bits)).bitLength() > 21) {
      throw place.error(
          "numbers of at most 300,000 digits", "a longer number", "use a smaller exponent");
    }
    int power = exponent.getNumerator().intValueExact();
    return Atom.Fraction.of(place, (power < 0 ? divisor(place, a.get(0)) : base).pow(power));
  }

  private static Atom round(Place place, List<Atom> a) {
    BigInteger whole = Atom.Fraction.rounded(a.get(0).number(place), RoundingMode.HALF_EVEN);
    return new Atom.Fraction(BigFraction.of(whole));
  }
}
