package org.lengthwise.cli;

import java.util.ArrayList;
import java.util.List;
import org.lengthwise.dataprep.inspect.LengthHistogram;
import org.lengthwise.dataprep.inspect.LengthHistogram.Bin;
import org.lengthwise.plot.Axis;
import org.lengthwise.plot.Axis.Scale;
import org.lengthwise.plot.Chart;
import org.lengthwise.plot.Format;
import org.lengthwise.plot.Series;
import org.lengthwise.plot.Series.Label;
import org.lengthwise.plot.Series.Point;
import org.lengthwise.plot.Series.Style;

/** How long the documents of shards are. */
final class DocumentLengths {
  private DocumentLengths() {}

  /** A stepped area, with one step for each doubling. */
  static Chart chart(LengthHistogram histogram) {
    List<Point> steps = new ArrayList<>();
    List<Double> bounds = new ArrayList<>();
    for (Bin bin : histogram.bins()) {
      double from = bin.from();
      bounds.add(from);
      steps.add(new Point(from, bin.documents(), 0, bin.documents()));
      steps.add(new Point(2 * from, bin.documents(), 0, bin.documents()));
    }
    return new Chart(
        "document-lengths",
        "Lengths of documents",
        "",
        new Axis(
            "length in tokens, end-of-text included",
            Scale.DOUBLINGS,
            Format.COUNT,
            bounds,
            bounds,
            List.of()),
        new Axis("documents", Scale.LINEAR, Format.COUNT, List.of(0.0), List.of(), List.of()),
        List.of(new Series(new Label("documents", "documents", 0), Style.SOLID, steps, "")));
  }
}
