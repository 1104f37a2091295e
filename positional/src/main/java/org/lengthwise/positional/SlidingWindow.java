package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * Attention to the last W positions alone, the query's own included, in O(T W). Within the window
 * there is ALiBi's penalty, or none.
 *
 * <p>K blocks carry information over at most K (W - 1) positions, whatever the length; so this is
 * the plain measure of how far a scheme that "extrapolates" does more than forget.
 *
 * <p>Source: Beltagy, Peters and Cohan, "Longformer: The Long-Document Transformer", 2020, section
 * 3.1; windows as the yardstick of extrapolation in Chi et al., ACL 2023.
 *
 * @param window W, from 1 to a million
 * @param within what tells the positions of a window apart
 */
public record SlidingWindow(int window, Within within) implements PositionalScheme {
  static final String NAME = "sliding-window";
  private static final int MOST = 1_000_000;

  /** What tells the positions of a window apart. */
  public enum Within {
    /** ALiBi's linear penalty. */
    ALIBI,
    /** Nothing. */
    NONE;

    /**
     * The name in configurations.
     *
     * @return {@code alibi} or {@code none}
     */
    @JsonValue
    public String label() {
      return Labels.of(this);
    }

    /**
     * The choice with a name.
     *
     * @param label {@code alibi} or {@code none}
     * @return the choice
     * @throws IllegalArgumentException for any other name
     */
    @JsonCreator
    public static Within of(String label) {
      return Labels.constant(Within.class, label);
    }
  }

  /** Checks the values. */
  public SlidingWindow {
    if (window < 1 || window > MOST) {
      throw new IllegalArgumentException(
          "window: expected 1 to %,d positions, found %d".formatted(MOST, window));
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>The two kinds of windows are two schemes to a reader of results.
   */
  @Override
  public String label() {
    return within == Within.ALIBI ? NAME : NAME + "-" + within.label();
  }

  /**
   * {@inheritDoc}
   *
   * <p>Each layer reaches W - 1 positions further back than the one above it.
   */
  @Override
  public long receptiveField(int layers, long length) {
    return Math.min(length, (long) layers * (window - 1) + 1);
  }

  @Override
  public double bias(PositionalValues values, int head, int level, long query, long distance) {
    if (distance >= window) {
      return Double.NEGATIVE_INFINITY;
    }
    return within == Within.ALIBI ? -Alibi.slopes(values.heads())[head] * distance : 0;
  }
}
