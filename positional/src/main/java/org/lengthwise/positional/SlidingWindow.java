package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonTypeName;
import org.lengthwise.config.Checks;
import org.lengthwise.config.EnumName;
import org.lengthwise.config.Unit;

/**
 * Attention to the latest W positions, the query's own included, in O(T W). Within the window,
 * scores get ALiBi's penalty or no bias.
 *
 * <p>K blocks carry information over at most K (W - 1) positions at any length. So this scheme is a
 * baseline: a scheme that only forgets distant tokens does no better.
 *
 * <p>Source: Beltagy, Peters and Cohan, "Longformer: The Long-Document Transformer", 2020, section
 * 3.1. Chi et al., ACL 2023, use windows as a baseline for extrapolation.
 *
 * @param window W, the number of latest positions that a query sees, its own included
 * @param within the bias within the window
 */
@JsonTypeName("sliding-window")
public record SlidingWindow(@Unit("positions") int window, Within within)
    implements PositionalScheme {
  private static final int LARGEST_WINDOW = 1_000_000;

  /** The bias within a window. */
  public enum Within {
    /** ALiBi's linear penalty. */
    ALIBI,
    /** No bias. */
    NONE
  }

  /** Requires a window of 1 to 1,000,000 positions. */
  public SlidingWindow {
    Checks.require(
        window >= 1 && window <= LARGEST_WINDOW,
        "window",
        "1 to %,d positions".formatted(LARGEST_WINDOW),
        window);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Results list the two kinds of windows as two schemes.
   */
  @Override
  public String label() {
    String name = PositionalScheme.super.label();
    return within == Within.ALIBI ? name : name + "-" + EnumName.of(within);
  }

  @Override
  public <R> R accept(AttentionForm<R> form) {
    return form.window(this);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Each layer reaches W - 1 positions further back than the one above it.
   */
  @Override
  public boolean seesAllKeys() {
    return false;
  }

  @Override
  public long receptiveField(int layers, long length) {
    return new LayerWindow(window, 0).receptiveField(layers, length);
  }

  @Override
  public double bias(PositionalValues values, int head, int level, long query, long distance) {
    if (distance >= window) {
      return Double.NEGATIVE_INFINITY;
    }
    return within == Within.ALIBI ? -Alibi.slopes(values.heads())[head] * distance : 0;
  }
}
