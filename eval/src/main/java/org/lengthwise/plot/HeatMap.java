package org.lengthwise.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Rectangle;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import java.util.Locale;

/**
 * A grid of numbers as a figure: each cell has a colour and prints its number.
 *
 * @param name the name of its files, without an ending
 * @param x what changes from left to right
 * @param y what changes from top to bottom
 * @param rows the labels of the rows, top first
 * @param values numbers by row; NaN is hatched
 * @param full the number of the strongest colour; 1 for shares, which are printed in per cent
 * @param isGrey whether the numbers are shown without colour, because nothing follows from them
 */
public record HeatMap(
    String name,
    String title,
    String x,
    String y,
    List<String> columns,
    List<String> rows,
    List<List<Double>> values,
    double full,
    boolean isGrey) {
  private static final int CELL = 80;
  private static final int LEFT = 70;

  /** Enough for most titles; a longer one has smaller letters. */
  private static final int MIN_WIDTH = 520;

  private static final int TOP = 70;
  private static final int RIGHT = 30;
  private static final int ROW = 34;
  private static final int BOTTOM = 70;
  private static final int HATCH = 8;
  private static final int MARGIN = 10;
  private static final float TITLE = 16;
  private static final Color FULL = new Color(0x0072b2);

  public HeatMap {
    values = List.copyOf(values);
    if (values.size() != rows.size()
        || values.stream().anyMatch(row -> row.size() != columns.size())) {
      throw new IllegalArgumentException(name + ": expected a value for each cell");
    }
  }

  /** {@return a line for each row, with the labels; a missing number is empty} */
  public String csv() {
    StringBuilder csv = new StringBuilder(y + "," + String.join(",", columns)).append('\n');
    for (int r = 0; r < rows.size(); r++) {
      csv.append(rows.get(r));
      values.get(r).forEach(value -> csv.append(',').append(value.isNaN() ? "" : value.toString()));
      csv.append('\n');
    }
    return csv.toString();
  }

  int width() {
    return Math.max(MIN_WIDTH, LEFT + CELL * columns.size() + RIGHT);
  }

  int height() {
    return TOP + ROW * rows.size() + BOTTOM;
  }

  void paint(Canvas canvas) {
    canvas.fill(new Rectangle2D.Double(0, 0, width(), height()), Color.WHITE);
    Font bold = Canvas.TYPE.deriveFont(Font.BOLD, TITLE);
    double room = TITLE * (width() - 2 * MARGIN) / Canvas.width(title, bold);
    Font fitting = bold.deriveFont((float) Math.min(TITLE, room));
    canvas.text(title, fitting, Palette.INK, width() / 2.0, 32, 0.5);
    double cell = (double) (width() - LEFT - RIGHT) / columns.size();
    int bottom = TOP + ROW * rows.size();
    for (int c = 0; c < columns.size(); c++) {
      print(canvas, columns.get(c), LEFT + (c + 0.5) * cell, bottom + 22, 0.5);
    }
    print(canvas, x, LEFT + (width() - LEFT - RIGHT) / 2.0, bottom + 50, 0.5);
    print(canvas, y, 16, TOP - 14, 0);
    for (int r = 0; r < rows.size(); r++) {
      int top = TOP + ROW * r;
      print(canvas, rows.get(r), LEFT - 10, top + 22, 1);
      for (int c = 0; c < columns.size(); c++) {
        int left = (int) Math.round(LEFT + c * cell);
        int size = (int) Math.round(LEFT + (c + 1) * cell) - left;
        paint(canvas, values.get(r).get(c), new Rectangle(left, top, size, ROW));
      }
    }
  }

  private static void print(Canvas canvas, String words, double x, double y, double align) {
    canvas.text(words, Canvas.TYPE, Palette.INK, x, y, align);
  }

  private void paint(Canvas canvas, double value, Rectangle cell) {
    if (Double.isNaN(value)) {
      Path2D hatch = new Path2D.Double();
      for (int at = HATCH; at < cell.width + ROW; at += HATCH) {
        int over = Math.max(0, at - cell.width);
        int below = Math.min(at, ROW);
        hatch.moveTo(cell.x + at - over, cell.y + over);
        hatch.lineTo(cell.x + at - below, cell.y + below);
      }
      canvas.draw(hatch, Palette.MARK, new BasicStroke(1));
    } else {
      double share = Math.max(0, Math.min(1, value / full));
      canvas.fill(cell, isGrey ? Palette.GRID : colour(share));
      Color ink = !isGrey && share > 0.6 ? Color.WHITE : Palette.INK;
      canvas.text(text(value), Canvas.TYPE, ink, cell.getCenterX(), cell.y + 22, 0.5);
    }
    canvas.draw(cell, Color.WHITE, new BasicStroke(1));
  }

  private String text(double value) {
    return full == 1
        ? String.valueOf(Math.round(100 * value))
        : String.format(Locale.ROOT, "%.1f", value).replaceFirst("^-(0\\.0)$", "$1");
  }

  /** The colour of a share from 0 to 1. */
  static Color colour(double share) {
    return new Color(
        between(FULL.getRed(), share),
        between(FULL.getGreen(), share),
        between(FULL.getBlue(), share));
  }

  private static int between(int full, double share) {
    return (int) Math.round(245 + share * (full - 245));
  }
}
