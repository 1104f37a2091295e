package org.lengthwise.plot;

import java.util.List;

/**
 * A figure as a value.
 *
 * @param name the name of its files, without an ending
 * @param title what the chart shows, also for readers who cannot see it
 * @param hint how to read the lines, printed in the picture files after the title of the x axis;
 *     may be empty
 * @param x the horizontal axis
 * @param y the vertical axis
 * @param series the lines in the order of the legend; later ones are drawn over earlier ones
 */
public record Chart(String name, String title, String hint, Axis x, Axis y, List<Series> series) {
  /** Copies the list. */
  public Chart {
    series = List.copyOf(series);
  }
}
