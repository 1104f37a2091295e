package org.lengthwise.statistics;

import java.util.Locale;
import java.util.OptionalInt;

/**
 * The conclusion about a scheme beyond its training length.
 *
 * @param outcome the worst outcome of all lengths; {@link Outcome#HOLDS} only if the scheme holds
 *     at each length
 * @param trainLength T_tr
 * @param heldTo the longest length up to which the scheme holds at every length; T_tr if it does
 *     not hold at the next longer length
 * @param risesFrom the first length that degrades before an explosion; absent if there is none
 * @param from the first length with the outcome; absent if the scheme holds
 */
public record Verdict(
    Outcome outcome, int trainLength, int heldTo, OptionalInt risesFrom, OptionalInt from) {
  public Verdict {
    boolean complete =
        switch (outcome) {
          case HOLDS -> heldTo > trainLength && from.isEmpty() && risesFrom.isEmpty();
          case DEGRADES, NOT_SETTLED -> from.isPresent() && risesFrom.isEmpty();
          case EXPLODES -> from.isPresent() && risesFrom.orElse(trainLength) < from.getAsInt();
        };
    if (!complete) {
      throw new IllegalArgumentException(
          "%s of %s does not fit lengths held to %s".formatted(outcome, from, heldTo));
    }
  }

  /**
   * {@return the verdict for a reader, for example {@code degrades from 1,024; holds to 512}, or
   * {@code rises from 256, explodes from 2,048}}
   */
  public String words() {
    boolean holdsAtSome = heldTo > trainLength;
    String held = holdsAtSome ? "; holds to " + tokens(heldTo) : "";
    return switch (outcome) {
      case HOLDS -> "extrapolates to " + tokens(heldTo);
      case DEGRADES -> "degrades from " + tokens(from.orElseThrow()) + held;
      case EXPLODES ->
          (risesFrom.isPresent() ? "rises from " + tokens(risesFrom.getAsInt()) + ", " : "")
              + "explodes from "
              + tokens(from.orElseThrow())
              + held;
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
