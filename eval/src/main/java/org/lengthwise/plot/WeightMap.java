package org.lengthwise.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.geom.Rectangle2D;
import java.util.List;

/**
 * Square grids of weights of the same positions, side by side. A row is a query, a column a key.
 *
 * @param name the name of its files, without an ending
 * @param labels a short label for each position
 */
public record WeightMap(String name, List<String> labels, List<Panel> panels) {
  private static final int MARGIN = 16;
  private static final int TITLE = 26;
  private static final int LABEL = 22;
  private static final int GRID = 400;
  private static final int SMALLEST_CELL = 2;
  private static final int LARGEST_CELL = 20;

  /** Smaller cells have no labels. */
  private static final int SMALLEST_LABEL = 9;

  /** Enough for most titles. */
  private static final int SMALLEST_GRID = 200;

  /**
   * One grid.
   *
   * @param weights shares by row; NaN is left empty
   */
  public record Panel(String title, List<List<Double>> weights) {}

  private int cell() {
    return Math.max(SMALLEST_CELL, Math.min(LARGEST_CELL, GRID / labels.size()));
  }

  private int panelWidth() {
    return MARGIN + LABEL + Math.max(SMALLEST_GRID, cell() * labels.size());
  }

  int width() {
    return MARGIN + panels.size() * panelWidth();
  }

  int height() {
    return 2 * MARGIN + TITLE + LABEL + cell() * labels.size();
  }

  void paint(Canvas canvas) {
    canvas.fill(new Rectangle2D.Double(0, 0, width(), height()), Color.WHITE);
    for (int p = 0; p < panels.size(); p++) {
      paint(canvas, panels.get(p), MARGIN + p * panelWidth());
    }
  }

  private void paint(Canvas canvas, Panel panel, int left) {
    int cell = cell();
    int x = left + LABEL;
    int y = MARGIN + TITLE + LABEL;
    int size = cell * labels.size();
    canvas.text(panel.title(), Canvas.TYPE, Palette.INK, left, MARGIN + TITLE / 2.0, 0);
    Font small = Canvas.TYPE.deriveFont((float) Math.min(cell, Canvas.TYPE.getSize()));
    for (int i = 0; i < labels.size(); i++) {
      if (cell >= SMALLEST_LABEL) {
        double baseline = y + (i + 0.8) * cell;
        canvas.text(labels.get(i), small, Palette.INK, x - 4.0, baseline, 1);
        canvas.text(labels.get(i), small, Palette.INK, x + (i + 0.5) * cell, y - 5.0, 0.5);
      }
      for (int j = 0; j < labels.size(); j++) {
        double weight = panel.weights().get(i).get(j);
        if (!Double.isNaN(weight)) {
          Color colour = HeatMap.colour(Math.max(0, Math.min(1, weight)));
          canvas.fill(new Rectangle2D.Double(x + j * cell, y + i * cell, cell, cell), colour);
        }
      }
    }
    Rectangle2D frame = new Rectangle2D.Double(x, y, size, size);
    canvas.draw(frame, Palette.MARK, new BasicStroke(1));
  }

  /** {@return the first grid, a line for each query; an empty field for NaN} */
  public String csv() {
    StringBuilder csv = new StringBuilder("position,token");
    for (int j = 0; j < labels.size(); j++) {
      csv.append(',').append(j);
    }
    for (int i = 0; i < labels.size(); i++) {
      csv.append('\n').append(i).append(",\"").append(labels.get(i).replace("\"", "\"\""));
      csv.append('"');
      for (double weight : panels.get(0).weights().get(i)) {
        csv.append(',').append(Double.isNaN(weight) ? "" : String.valueOf((float) weight));
      }
    }
    return csv.append('\n').toString();
  }
}
