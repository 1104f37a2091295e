package org.lengthwise.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.util.List;
import java.util.Locale;

/**
 * A grid of numbers as a figure: each cell has a colour and prints its number.
 *
 * @param name the name of its files, without an ending
 * @param x what changes from left to right
 * @param y what changes from top to bottom
 * @param columns the labels of the columns
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

  /** Requires a value for each column of each row. */
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

  void paint(Graphics2D graphics) {
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, width(), height());
    Font text = new Font(Font.SANS_SERIF, Font.PLAIN, 14);
    Font bold = text.deriveFont(Font.BOLD, TITLE);
    float whole = graphics.getFontMetrics(bold).stringWidth(title);
    graphics.setFont(bold.deriveFont(Math.min(TITLE, TITLE * (width() - 2 * MARGIN) / whole)));
    graphics.setColor(Palette.INK);
    centred(graphics, title, width() / 2.0, 32);
    graphics.setFont(text);
    double cell = (double) (width() - LEFT - RIGHT) / columns.size();
    int bottom = TOP + ROW * rows.size();
    for (int c = 0; c < columns.size(); c++) {
      centred(graphics, columns.get(c), LEFT + (c + 0.5) * cell, bottom + 22);
    }
    centred(graphics, x, LEFT + (width() - LEFT - RIGHT) / 2.0, bottom + 50);
    graphics.drawString(y, 16, TOP - 14);
    for (int r = 0; r < rows.size(); r++) {
      int top = TOP + ROW * r;
      int right = LEFT - 10 - graphics.getFontMetrics().stringWidth(rows.get(r));
      graphics.setColor(Palette.INK);
      graphics.drawString(rows.get(r), right, top + 22);
      for (int c = 0; c < columns.size(); c++) {
        int left = (int) Math.round(LEFT + c * cell);
        int size = (int) Math.round(LEFT + (c + 1) * cell) - left;
        paint(graphics, values.get(r).get(c), left, top, size);
      }
    }
  }

  private void paint(Graphics2D graphics, double value, int left, int top, int width) {
    graphics.setStroke(new BasicStroke(1));
    if (Double.isNaN(value)) {
      graphics.setColor(Palette.MARK);
      for (int at = HATCH; at < width + ROW; at += HATCH) {
        int over = Math.max(0, at - width);
        int below = Math.min(at, ROW);
        graphics.drawLine(left + at - over, top + over, left + at - below, top + below);
      }
    } else {
      double share = Math.max(0, Math.min(1, value / full));
      graphics.setColor(isGrey ? Palette.GRID : colour(share));
      graphics.fillRect(left, top, width, ROW);
      boolean isDark = !isGrey && share > 0.6;
      graphics.setColor(isDark ? Color.WHITE : Palette.INK);
      centred(graphics, text(value), left + width / 2.0, top + 22);
    }
    graphics.setColor(Color.WHITE);
    graphics.drawRect(left, top, width, ROW);
  }

  private String text(double value) {
    return full == 1
        ? String.valueOf(Math.round(100 * value))
        : String.format(Locale.ROOT, "%.1f", value).replaceFirst("^-(0\\.0)$", "$1");
  }

  private static Color colour(double share) {
    return new Color(
        between(FULL.getRed(), share),
        between(FULL.getGreen(), share),
        between(FULL.getBlue(), share));
  }

  private static int between(int full, double share) {
    return (int) Math.round(245 + share * (full - 245));
  }

  private static void centred(Graphics2D graphics, String text, double x, int y) {
    graphics.drawString(
        text, (float) (x - graphics.getFontMetrics().stringWidth(text) / 2.0), (float) y);
  }
}
