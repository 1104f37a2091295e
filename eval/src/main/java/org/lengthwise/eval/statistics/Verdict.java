package org.lengthwise.eval.statistics;

import java.util.Locale;
import java.util.OptionalInt;

/**
 * What a scheme does beyond its training length, as far as the measurement settles it.
 *
 * @param outcome what the worst of its lengths comes to: extrapolates ({@link Outcome#HOLDS}) if it
 *     holds at every one; degrades, explodes, or not settled otherwise
 * @param trainLength T_tr
 * @param heldTo the length up to which it holds everywhere; T_tr if at none beyond
 * @param from the first length at which it degrades, explodes or is not settled; absent if it holds
 */
public record Verdict(Outcome outcome, int trainLength, int heldTo, OptionalInt from) {
  /** Checks the values. */
  public Verdict {
    boolean complete =
        switch (outcome) {
          case HOLDS -> heldTo > trainLength && from.isEmpty();
          case DEGRADES, EXPLODES, NOT_SETTLED -> from.isPresent();
        };
    if (!complete) {
      throw new IllegalArgumentException(
          "%s of %s does not fit lengths held to %d".formatted(outcome, from, heldTo));
    }
  }

  /**
   * The verdict for a reader.
   *
   * @return such as {@code degrades from 1,024; holds to 512}; the lengths up to which it
   *     extrapolates come first where it is not settled at longer ones
   */
  public String words() {
    boolean holdsAtSome = heldTo > trainLength;
    String held = holdsAtSome ? "; holds to " + tokens(heldTo) : "";
    return switch (outcome) {
      case HOLDS -> "extrapolates to " + tokens(heldTo);
      case DEGRADES -> "degrades from " + tokens(from.orElseThrow()) + held;
      case EXPLODES -> "explodes from " + tokens(from.orElseThrow()) + held;
      case NOT_SETTLED ->
          (holdsAtSome ? "extrapolates to " + tokens(heldTo) + "; " : "")
              + "not settled at "
              + tokens(from.orElseThrow());
    };
  }

  private static String tokens(int length) {
    return String.format(Locale.ROOT, "%,d", length);
  }
}
