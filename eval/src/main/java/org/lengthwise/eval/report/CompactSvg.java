package org.lengthwise.eval.report;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A drawing's SVG with the same look in a tenth of the text. The library writes every segment of a
 * curve as an element that repeats the whole style, and coordinates to the last digit of a double:
 * neighbouring segments of one style become one path here, and numbers keep {@value #DECIMALS}
 * decimals, which is a fiftieth of a pixel of the PNG.
 */
final class CompactSvg {
  private static final int DECIMALS = 2;

  private static final Pattern LONG_NUMBER =
      Pattern.compile("-?\\d+\\.(?:\\d{3,}(?:E-?\\d+)?|\\d+E-?\\d+)");

  private static final Pattern SEGMENT =
      Pattern.compile(
          " *<line style=\"(?<style>[^\"]*)\" x1=\"(?<x1>[^\"]*)\" x2=\"(?<x2>[^\"]*)\""
              + " y1=\"(?<y1>[^\"]*)\" y2=\"(?<y2>[^\"]*)\"/>");

  private final StringBuilder text = new StringBuilder();
  private final StringBuilder path = new StringBuilder();

  /** The style of the path, and where it ends. */
  private String style = "";

  private String end = "";

  private CompactSvg() {}

  /** Rewrites a drawing of one element a line, as the library prints it. */
  static String of(String svg) {
    CompactSvg compact = new CompactSvg();
    rounded(svg).lines().forEach(compact::add);
    compact.endPath();
    return compact.text.toString();
  }

  private static String rounded(String svg) {
    return LONG_NUMBER
        .matcher(svg)
        .replaceAll(
            number ->
                new BigDecimal(number.group())
                    .setScale(DECIMALS, RoundingMode.HALF_EVEN)
                    .stripTrailingZeros()
                    .toPlainString());
  }

  private void add(String line) {
    Matcher segment = SEGMENT.matcher(line);
    if (segment.matches()) {
      add(segment);
    } else {
      endPath();
      text.append(line).append('\n');
    }
  }

  private void add(Matcher segment) {
    if (!segment.group("style").equals(style)) {
      endPath();
      style = segment.group("style");
    }
    String from = segment.group("x1") + "," + segment.group("y1");
    if (!from.equals(end)) {
      path.append('M').append(from);
    }
    end = segment.group("x2") + "," + segment.group("y2");
    path.append('L').append(end);
  }

  private void endPath() {
    if (!path.isEmpty()) {
      text.append("<path style=\"%s\" d=\"%s\"/>\n".formatted(style, path));
      path.setLength(0);
    }
    style = "";
    end = "";
  }
}
