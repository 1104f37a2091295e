package org.lengthwise.plot;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Rewrites the SVG of a drawing. The result looks the same and has a tenth of the size.
 *
 * <p>The library writes each segment of a curve as an element with a full style, and coordinates
 * with all digits of a double. Here neighbouring segments of one style become one path, and numbers
 * keep {@value #DECIMALS} decimals, a fiftieth of a pixel of the PNG. The library also names clip
 * paths after object hashes; here the names are the same on each run and differ between charts.
 */
final class CompactSvg {
  private static final int DECIMALS = 2;

  private static final Pattern CLIP = Pattern.compile("clip\\d+");

  private static final Pattern LONG_NUMBER =
      Pattern.compile("-?\\d+\\.(?:\\d{3,}(?:E-?\\d+)?|\\d+E-?\\d+)");

  private static final Pattern SEGMENT =
      Pattern.compile(
          " *<line style=\"(?<style>[^\"]*)\" x1=\"(?<x1>[^\"]*)\" x2=\"(?<x2>[^\"]*)\""
              + " y1=\"(?<y1>[^\"]*)\" y2=\"(?<y2>[^\"]*)\"/>");

  private final StringBuilder text = new StringBuilder();
  private final StringBuilder path = new StringBuilder();

  /** The style of the current path. */
  private String style = "";

  /** The end of the current path. */
  private String end = "";

  private CompactSvg() {}

  /**
   * Rewrites a drawing.
   *
   * @param svg one element per line, as the library prints it
   * @param name a name that no other drawing on the page has
   */
  static String of(String svg, String name) {
    CompactSvg compact = new CompactSvg();
    rounded(withStableNames(svg, name)).lines().forEach(compact::add);
    compact.endPath();
    return compact.text.toString();
  }

  private static String withStableNames(String svg, String name) {
    Map<String, String> names = new LinkedHashMap<>();
    return CLIP.matcher(svg)
        .replaceAll(
            clip ->
                Matcher.quoteReplacement(
                    names.computeIfAbsent(clip.group(), old -> name + "-clip-" + names.size())));
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
