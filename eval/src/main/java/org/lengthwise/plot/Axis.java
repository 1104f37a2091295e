package org.lengthwise.plot;

import java.util.List;

/**
 * One axis of a chart. Its range always contains the span, and the points of all series.
 *
 * @param title what the axis measures, with its unit
 * @param span values that the axis always shows; may be empty
 * @param ticks the values of the ticks; if empty, the renderer chooses them
 * @param marks values that are marked by a line across the chart
 */
public record Axis(
    String title,
    Scale scale,
    Format format,
    List<Double> span,
    List<Double> ticks,
    List<Mark> marks) {
  public enum Scale {
    /** Equal differences have equal lengths. */
    LINEAR,
    /** Equal ratios have equal lengths. */
    LOG,
    /** As {@link #LOG}, with a tick for each doubling. */
    DOUBLINGS
  }

  /** A marked value, whose words may be empty. */
  public record Mark(double at, String text) {}

  public Axis {
    span = List.copyOf(span);
    ticks = List.copyOf(ticks);
    marks = List.copyOf(marks);
  }

  public Axis(String title, Scale scale, Format format) {
    this(title, scale, format, List.of(), List.of(), List.of());
  }

  /** An axis of shares from 0 to 1, without marks or with some. */
  public static Axis ofShares(String title, Mark... marks) {
    return new Axis(
        title, Scale.LINEAR, Format.SHARE, List.of(0.0, 1.0), List.of(), List.of(marks));
  }

  boolean isLogarithmic() {
    return scale != Scale.LINEAR;
  }
}
