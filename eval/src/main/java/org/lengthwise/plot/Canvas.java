package org.lengthwise.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.Shape;
import java.awt.font.FontRenderContext;
import java.awt.geom.AffineTransform;
import java.awt.geom.PathIterator;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** What a figure is drawn on. Letters are filled outlines, so they need no font later. */
interface Canvas {
  /** The type of all words, in which other sizes are derived. */
  Font TYPE = new Font(Font.SANS_SERIF, Font.PLAIN, 14);

  void fill(Shape shape, Color colour);

  /** Draws the outline of a shape, or a line. */
  void draw(Shape shape, Color colour, BasicStroke stroke);

  /**
   * Prints words.
   *
   * @param x the place of their left end, middle or right end
   * @param y the place of the baseline
   * @param align 0 for the left end at x, 0.5 for the middle, 1 for the right end
   */
  default void text(String words, Font font, Color colour, double x, double y, double align) {
    if (!words.isBlank()) {
      fill(outline(words, font, x - align * width(words, font), y), colour);
    }
  }

  /** Prints words from bottom to top, with their middle at y. */
  default void upwards(String words, Font font, Color colour, double x, double y) {
    if (!words.isBlank()) {
      AffineTransform turn = AffineTransform.getTranslateInstance(x, y);
      turn.quadrantRotate(-1);
      fill(turn.createTransformedShape(outline(words, font, -width(words, font) / 2, 0)), colour);
    }
  }

  private static Shape outline(String words, Font font, double x, double y) {
    return font.createGlyphVector(context(), words).getOutline((float) x, (float) y);
  }

  private static FontRenderContext context() {
    return new FontRenderContext(null, true, true);
  }

  static double width(String words, Font font) {
    return font.getStringBounds(words, context()).getWidth();
  }

  record Pixels(Graphics2D graphics) implements Canvas {
    @Override
    public void fill(Shape shape, Color colour) {
      graphics.setColor(colour);
      graphics.fill(shape);
    }

    @Override
    public void draw(Shape shape, Color colour, BasicStroke stroke) {
      graphics.setColor(colour);
      graphics.setStroke(stroke);
      graphics.draw(shape);
    }
  }

  final class Svg implements Canvas {
    /** A hundredth of a unit is a fiftieth of a pixel of the PNG. */
    private static final int DECIMALS = 2;

    private static final String[] CAPS = {"butt", "round", "square"};

    private final StringBuilder elements = new StringBuilder();

    @Override
    public void fill(Shape shape, Color colour) {
      add(shape, "fill:" + hex(colour) + opacity("fill", colour));
    }

    @Override
    public void draw(Shape shape, Color colour, BasicStroke stroke) {
      StringBuilder style = new StringBuilder("fill:none;stroke:").append(hex(colour));
      style.append(opacity("stroke", colour));
      style.append(";stroke-width:").append(number(stroke.getLineWidth()));
      style.append(";stroke-linejoin:round;stroke-linecap:").append(CAPS[stroke.getEndCap()]);
      float[] dash = stroke.getDashArray();
      if (dash != null) {
        style.append(";stroke-dasharray:");
        for (int i = 0; i < dash.length; i++) {
          style.append(i == 0 ? "" : ",").append(number(dash[i]));
        }
      }
      add(shape, style.toString());
    }

    private void add(Shape shape, String style) {
      elements.append("<path style=\"").append(style).append(";\" d=\"");
      double[] c = new double[6];
      for (PathIterator path = shape.getPathIterator(null); !path.isDone(); path.next()) {
        int kind = path.currentSegment(c);
        elements.append("MLQCZ".charAt(kind));
        int numbers = kind == PathIterator.SEG_CLOSE ? 0 : Math.max(2, 2 * kind);
        for (int i = 0; i < numbers; i++) {
          elements.append(i == 0 ? "" : ",").append(number(c[i]));
        }
      }
      elements.append("\"/>\n");
    }

    private static String hex(Color colour) {
      return String.format(Locale.ROOT, "#%06x", colour.getRGB() & 0xffffff);
    }

    private static String opacity(String of, Color colour) {
      return colour.getAlpha() == 255
          ? ""
          : ";" + of + "-opacity:" + number(colour.getAlpha() / 255.0);
    }

    private static String number(double value) {
      BigDecimal rounded = new BigDecimal(value).setScale(DECIMALS, RoundingMode.HALF_EVEN);
      return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }

    String element(int width, int height) {
      return String.format(
          Locale.ROOT,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" width=\"%1$dpx\""
              + " height=\"%2$dpx\">\n%3$s</svg>\n",
          width,
          height,
          elements);
    }
  }
}
