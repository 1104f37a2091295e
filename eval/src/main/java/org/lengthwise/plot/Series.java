package org.lengthwise.plot;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One line of a chart, with the bars or the band around it.
 *
 * @param named whether the legend, or a text at the end of the line, names the line
 * @param points the points in ascending order of x
 * @param symbols further points, drawn only as markers
 * @param reading the words for a single point: {@code {x}}, {@code {y}}, {@code {low}} and {@code
 *     {high}} are replaced; the part after a vertical bar is for points that have an interval
 */
public record Series(
    Label label,
    Style style,
    boolean named,
    List<Point> points,
    List<Point> symbols,
    String reading) {

  /** The style of a series. Its look decides the dash pattern and the marker. */
  public enum Style {
    /**
     * A dashed line with a marker and an error bar at each point; bars at one x are side by side.
     */
    BARS,
    /** A dashed line with a marker at each point, and a faint band. */
    MARKED,
    /** A strong solid line with a band, without markers. */
    SOLID,
    /** A thin dashed line with a band, behind other series. */
    PALE,
    /** A thin solid line, behind other series. */
    THIN,
    MARKERS,
    /** A thin solid vertical line through all points. */
    LIMIT
  }

  /**
   * The name, run and look of a series.
   *
   * @param run the run that the page's switches show and hide
   * @param look its place in the {@link Palette}
   */
  public record Label(String name, String run, int look) {
    /** The look of a line that is only a background for others. */
    public static final int GREY = 7;
  }

  /**
   * A point, with or without an interval.
   *
   * @param low the lower end of its interval; NaN without an interval
   * @param high the upper end; NaN without an interval
   * @param at the text for x when a reader selects the point; if empty, x as a number
   */
  public record Point(double x, double y, double low, double high, String at) {
    public Point(double x, double y, double low, double high) {
      this(x, y, low, high, "");
    }

    public Point(double x, double y) {
      this(x, y, Double.NaN, Double.NaN);
    }

    boolean isBounded() {
      return !Double.isNaN(low) && !Double.isNaN(high);
    }

    /** The components as an array, which is short in JSON: a page has thousands of points. */
    @JsonValue
    List<?> json() {
      if (!isBounded()) {
        return List.of(x, y);
      }
      return at.isEmpty() ? List.of(x, y, low, high) : List.of(x, y, low, high, at);
    }
  }

  private static final int MOST_GREY_POINTS = 40;

  public Series {
    points = List.copyOf(points);
    symbols = List.copyOf(symbols);
  }

  public Series(Label label, Style style, List<Point> points, String reading) {
    this(label, style, true, points, List.of(), reading);
  }

  /** Some of the points as a thin grey line, or grey markers, that nothing names. */
  Series inGrey() {
    int step = 1 + points.size() / MOST_GREY_POINTS; // each panel has the grey lines of all others
    Style behind = style == Style.MARKERS ? Style.MARKERS : Style.THIN;
    return new Series(
        new Label(label.name, label.run, Label.GREY),
        behind,
        false,
        IntStream.iterate(0, i -> i < points.size(), i -> i + step)
            .mapToObj(points::get)
            .map(point -> new Point(point.x, point.y))
            .toList(),
        List.of(),
        "at {x}: {y}");
  }
}
