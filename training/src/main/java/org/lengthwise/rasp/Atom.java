package org.lengthwise.rasp;

import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.numbers.fraction.BigFraction;
import org.lengthwise.error.Count;

/**
 * A value at one position: a number, a text or a truth value.
 *
 * <p>As in the authors' program, a truth value is equal to 0 or 1 and counts as this number.
 */
sealed interface Atom extends Value {

  record Fraction(BigFraction value) implements Atom {
    static final Fraction ZERO = new Fraction(BigFraction.ZERO);

    /** Digits beyond this size cannot be meant, and would fill the memory. */
    private static final int MOST_BITS = 1 << 20;

    /** Keeps the sign in the numerator, which the library does not. */
    public Fraction {
      if (value.getDenominator().signum() < 0) {
        value = BigFraction.of(value.getNumerator().negate(), value.getDenominator().negate());
      }
    }

    static Fraction of(long value) {
      return new Fraction(BigFraction.of(BigInteger.valueOf(value)));
    }

    static Fraction of(Place place, BigFraction value) {
      if (value.getNumerator().bitLength() > MOST_BITS
          || value.getDenominator().bitLength() > MOST_BITS) {
        throw place.error(
            "numbers of at most 300,000 digits", "a longer number", "make the number smaller");
      }
      return new Fraction(value);
    }

    boolean isWhole() {
      return value.getDenominator().equals(BigInteger.ONE);
    }

    static BigInteger rounded(BigFraction value, RoundingMode mode) {
      return value.bigDecimalValue(0, mode).toBigInteger();
    }

    @Override
    public Object json() {
      return isWhole() ? value.getNumerator() : toString();
    }

    @Override
    public String kind() {
      return "the number " + this;
    }

    @Override
    public String source() {
      return toString();
    }

    @Override
    public String toString() {
      return value.getNumerator() + (isWhole() ? "" : "/" + value.getDenominator());
    }
  }

  /** A text, such as one character of the input. */
  record Text(String value) implements Atom {
    private static final int MOST_CHARACTERS = 1_000_000;

    static Text of(Place place, String value) {
      if (value.length() > MOST_CHARACTERS) {
        throw place.error(
            "texts of at most 1,000,000 characters", "a longer text", "make the text shorter");
      }
      return new Text(value);
    }

    List<Atom> characters() {
      return value.codePoints().<Atom>mapToObj(c -> new Text(Character.toString(c))).toList();
    }

    @Override
    public Object json() {
      return value;
    }

    @Override
    public String kind() {
      return "the text " + source();
    }

    @Override
    public String source() {
      return '"' + value + '"';
    }

    @Override
    public String toString() {
      return value;
    }
  }

  record Truth(boolean value) implements Atom {
    @Override
    public Object json() {
      return value;
    }

    @Override
    public String kind() {
      return value ? "True" : "False";
    }

    @Override
    public String toString() {
      return value ? "T" : "F";
    }
  }

  /** The value in JSON: a whole number, a truth value, a text, or a text such as {@code 3/2}. */
  Object json();

  /** Whether a condition with this value holds: not 0, not empty, not false. */
  default boolean isTrue() {
    return this instanceof Text text ? !text.value().isEmpty() : magnitude(this).signum() != 0;
  }

  default BigFraction number(Place place) {
    if (this instanceof Text) {
      throw place.error("a number", kind(), "compare or count texts, do not calculate with them");
    }
    return magnitude(this);
  }

  /** The value as a whole number from {@code least} to {@code most}. */
  default int whole(Place place, int least, int most) {
    BigFraction number = number(place);
    if (!number.getDenominator().equals(BigInteger.ONE)
        || number.getNumerator().bitLength() >= Integer.SIZE
        || number.intValue() < least
        || number.intValue() > most) {
      throw place.error(
          "a whole number from %s to %s".formatted(Count.of(least), Count.of(most)),
          kind(),
          "correct the number");
    }
    return number.intValue();
  }

  private static BigFraction magnitude(Atom atom) {
    return atom instanceof Fraction number
        ? number.value()
        : ((Truth) atom).value() ? BigFraction.ONE : BigFraction.ZERO;
  }

  /** Whether two values are equal. A text differs from every number. */
  static boolean same(Atom left, Atom right) {
    return (left instanceof Text || right instanceof Text)
        ? left.equals(right)
        : magnitude(left).equals(magnitude(right));
  }

  /** Compares two numbers, or two texts by their code points. */
  static int compare(Place place, Atom left, Atom right) {
    if (left instanceof Text a && right instanceof Text b) {
      return Arrays.compare(a.value().codePoints().toArray(), b.value().codePoints().toArray());
    }
    if (left instanceof Text || right instanceof Text) {
      throw place.error(
          "two numbers or two texts to compare",
          left.kind() + " and " + right.kind(),
          "compare values of one type");
    }
    BigFraction a = magnitude(left);
    BigFraction b = magnitude(right);
    // BigFraction.compareTo of version 1.2 orders two negative numbers by their absolute values.
    return a.getDenominator().equals(b.getDenominator())
        ? a.getNumerator().compareTo(b.getNumerator())
        : a.subtract(b).signum();
  }
}
