package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.EnumName;
import org.lengthwise.config.Unit;
import org.lengthwise.error.Count;

/**
 * Attention to the latest W positions, the query's own included, in O(T W), or to the query's own
 * chunk of C positions. Among these keys, scores get ALiBi's penalty or no bias, or queries and
 * keys are rotated.
 *
 * <p>K blocks carry information over at most K (W - 1) positions at any length, and chunks never
 * beyond their start. So this scheme is a baseline: a scheme that only forgets distant tokens does
 * no better. {@link Layers} has it beside layers that see all keys.
 *
 * <p>Source: Beltagy, Peters and Cohan, "Longformer: The Long-Document Transformer", 2020, section
 * 3.1. Chi et al., ACL 2023, use windows as a baseline for extrapolation. Chunks are those of Llama
 * 4 (Meta, 2025).
 *
 * @param window W, the number of latest positions that a query sees, its own included; absent with
 *     chunks
 * @param chunk C, the positions of a chunk: a query sees the keys n with floor(n / C) = floor(m /
 *     C); absent with a window
 * @param within what positions do among these keys
 * @param base the base of rotations, 10,000 if absent
 */
@JsonTypeName("sliding-window")
public record SlidingWindow(
    @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Unit("positions")
        @Nullable Integer window,
    @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Unit("positions")
        @Nullable Integer chunk,
    Within within,
    @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Nullable Double base)
    implements PositionalScheme {
  private static final int LARGEST_WINDOW = 1_000_000;
  private static final double BASE = 10_000;

  public enum Within {
    /** ALiBi's linear penalty. */
    ALIBI,
    /** Rotated queries and keys. */
    ROPE,
    /** Nothing. */
    NONE
  }

  public SlidingWindow {
    requireSize("window", window);
    requireSize("chunk", chunk);
    Checks.require(
        (window == null) != (chunk == null),
        "window",
        "a window or a chunk, one of both",
        window == null ? "none" : "window %s and chunk %s".formatted(window, chunk));
    if (base != null) {
      Checks.above("base", base, 1);
      Checks.require(within == Within.ROPE, "base", "no base, unless within is rope", base);
    }
  }

  private static void requireSize(String key, @Nullable Integer size) {
    Checks.require(
        size == null || (size >= 1 && size <= LARGEST_WINDOW),
        key,
        "1 to %s positions".formatted(Count.of(LARGEST_WINDOW)),
        String.valueOf(size));
  }

  public SlidingWindow(int window, Within within) {
    this(window, null, within, null);
  }

  private Rope rope() {
    return new Rope(base == null ? BASE : base, 1, RopeScaling.none(), reach());
  }

  /** The kinds of windows are schemes of their own in results. */
  @Override
  public String label() {
    String keys = PositionalScheme.super.label() + (window == null ? "-chunk" : "");
    return within == Within.ALIBI ? keys : keys + "-" + EnumName.of(within);
  }

  /** With rotations, this scheme is RoPE with a window. */
  @Override
  public <R> R accept(AttentionForm<R> form) {
    return within == Within.ROPE ? form.rotary(rope()) : form.window(this);
  }

  @Override
  public void requireShape(int heads, int headWidth, int width) {
    if (within == Within.ROPE) {
      rope().requireShape(heads, headWidth, width);
    }
  }

  @Override
  public Optional<PositionalScheme> scaled(PositionScaling scaling, int trainLength) {
    return within == Within.ROPE ? rope().scaled(scaling, trainLength) : Optional.empty();
  }

  @Override
  public LayerWindow reach() {
    return window == null
        ? new LayerWindow(Objects.requireNonNull(chunk), 0, true)
        : new LayerWindow(window, 0);
  }

  /** The start of a chunk matters too. */
  @Override
  public boolean attendsByDistance() {
    return window != null;
  }

  @Override
  public double[] rotate(double[] vector_D, long position, long length) {
    return within == Within.ROPE ? rope().rotate(vector_D, position, length) : vector_D;
  }

  @Override
  public double bias(PositionalValues values, int head, int level, long query, long distance) {
    if (query - distance < reach().firstKey(0, query)) {
      return Double.NEGATIVE_INFINITY;
    }
    return within == Within.ALIBI ? -Alibi.slopes(values.heads())[head] * distance : 0;
  }
}
