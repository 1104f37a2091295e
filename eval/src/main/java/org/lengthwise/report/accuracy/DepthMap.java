package org.lengthwise.report.accuracy;

import java.util.function.ToDoubleFunction;
import org.lengthwise.plot.HeatMap;
import org.lengthwise.result.AccuracyResult;

/** A number by length and depth of a needle. */
final class DepthMap {
  private DepthMap() {}

  /**
   * The map of a model.
   *
   * @param lengths the name of the lengths
   * @param all whose lengths and depths the map has
   * @param model what it shows
   * @param full the number of the strongest colour
   * @param isGrey whether nothing follows from the numbers
   */
  static HeatMap of(
      String name,
      String title,
      String lengths,
      AccuracyMean all,
      AccuracyMean model,
      ToDoubleFunction<AccuracyResult> number,
      double full,
      boolean isGrey) {
    return new HeatMap(
        name,
        title,
        lengths,
        "depth",
        all.lengths().stream().map(String::valueOf).toList(),
        all.depths().stream().map(String::valueOf).toList(),
        all.depths().stream()
            .map(
                depth ->
                    all.lengths().stream()
                        .map(
                            length ->
                                model.at(length, depth).results().stream()
                                    .mapToDouble(number)
                                    .findFirst()
                                    .orElse(Double.NaN))
                        .toList())
            .toList(),
        full,
        isGrey);
  }
}
