package org.lengthwise.eval.report;

import java.util.List;
import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.XYChart;

/** An x axis of evaluated lengths, one tick for each doubling. */
final class LengthAxis {
  /** Free space at either end, in doublings. */
  private static final double MARGIN = 0.25;

  /** What all points of one length together may take, in doublings. */
  private static final double DODGE = 0.14;

  private final int origin;
  private final int last;

  /** An axis for some lengths, rising, at least one. */
  LengthAxis(List<Integer> lengths) {
    this.origin = lengths.get(0);
    this.last = lengths.get(lengths.size() - 1);
  }

  /** Doublings since the shortest length. */
  double x(double length) {
    return Math.log(length / origin) / Math.log(2);
  }

  /** How far one of several runs stands beside the length's place, so that bars do not overlap. */
  static double dodge(int index, int count) {
    return count == 1 ? 0 : DODGE * ((double) index / (count - 1) - 0.5);
  }

  /** Sets the axis of a chart. */
  void scale(XYChart chart) {
    PlotStyle.unitTicksOnX(chart, -MARGIN, x(last) + MARGIN);
    chart
        .getStyler()
        .setXAxisTickLabelsFormattingFunction(
            x -> Numbers.count(Math.round(origin * Math.pow(2, x))));
  }

  /** Marks training lengths that lie on the axis, with a word at a height. */
  void mark(XYChart chart, List<Integer> trainLengths, double top) {
    for (int trainLength : trainLengths) {
      if (trainLength >= origin && trainLength <= last) {
        double beside = x(trainLength) + PlotStyle.besideMark(x(last) + 2 * MARGIN);
        String word = "trained at " + Numbers.count(trainLength);
        PlotStyle.mark(chart, x(trainLength), new AnnotationText(word, beside, top, false));
      }
    }
  }
}
