package org.lengthwise.eval.statistics;

import java.util.Locale;
import java.util.OptionalInt;

/**
 * What a scheme does beyond its training length, as far as the measurement settles it.
 *
 * @param outcome extrapolates ({@link Outcome#HOLDS}), degrades, explodes, or not settled
 * @param trainLength T_tr
 * @param heldTo the length up to which it holds everywhere; T_tr if at none beyond
 * @param from the first length at which it degrades or explodes; for the other outcomes the first
 *     one that is not settled, if any
 */
public record Verdict(Outcome outcome, int trainLength, int heldTo, OptionalInt from) {
  /** Checks the values. */
  public Verdict {
    boolean complete =
        switch (outcome) {
          case HOLDS -> heldTo > trainLength;
          case DEGRADES, EXPLODES, NOT_SETTLED -> from.isPresent();
        };
    if (!complete) {
      throw new IllegalArgumentException(outcome + " without its length");
    }
  }

  /**
   * The verdict for a reader.
   *
   * @return such as {@code degrades from 1,024; holds to 512}
   */
  public String words() {
    String held = heldTo > trainLength ? "; holds to " + tokens(heldTo) : "";
    return switch (outcome) {
      case HOLDS ->
          "extrapolates to "
              + tokens(heldTo)
              + (from.isPresent() ? "; not settled at " + tokens(from.getAsInt()) : "");
      case DEGRADES -> "degrades from " + tokens(from.orElseThrow()) + held;
      case EXPLODES -> "explodes from " + tokens(from.orElseThrow()) + held;
      case NOT_SETTLED -> "not settled at " + tokens(from.orElseThrow());
    };
  }

  private static String tokens(int length) {
    return String.format(Locale.ROOT, "%,d", length);
  }
}
