package org.lengthwise.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A figure as a value.
 *
 * @param name the name of its files, without an ending
 * @param title what the chart shows, also for readers who cannot see it
 * @param hint how to read the lines, printed in the picture files after the title of the x axis;
 *     may be empty
 * @param series the lines in the order of the legend; later ones are drawn over earlier ones
 */
public record Chart(String name, String title, String hint, Axis x, Axis y, List<Series> series) {
  /** The lines of more runs than this are not told apart in one chart. */
  private static final int MOST_RUNS = 10;

  private static final int PANEL_RUNS = 6;

  public Chart {
    series = List.copyOf(series);
  }

  /**
   * {@return this chart; or, if it has lines of many runs, a chart for each few of them, with the
   * lines of all others in grey behind}
   */
  public List<Chart> panels() {
    List<String> runs =
        series.stream()
            .filter(one -> one.style() != Series.Style.MARKERS)
            .map(one -> one.label().run())
            .filter(run -> !run.isEmpty())
            .distinct()
            .toList();
    if (runs.size() <= MOST_RUNS) {
      return List.of(this);
    }
    int panels = (runs.size() + PANEL_RUNS - 1) / PANEL_RUNS;
    return IntStream.range(0, panels)
        .mapToObj(
            i -> panel(i, runs.subList(i * runs.size() / panels, (i + 1) * runs.size() / panels)))
        .toList();
  }

  private Chart panel(int index, List<String> runs) {
    List<Series> all = new ArrayList<>();
    for (Series one : series) {
      if (!one.label().run().isEmpty() && !runs.contains(one.label().run())) {
        all.add(one.inGrey());
      }
    }
    series.stream()
        .filter(one -> one.label().run().isEmpty() || runs.contains(one.label().run()))
        .forEach(all::add);
    return new Chart(name + "-" + (index + 1), title, hint, x, y, all);
  }
}
