package org.lengthwise.rasp;

import java.util.Arrays;
import java.util.Locale;

/** The elements of an SVG file. Colours are style classes, for light and for dark screens. */
final class Svg {
  private static final String STYLE =
      """
      text { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; white-space: pre; fill: #24292f; }
      .paper { fill: #ffffff; }
      .layer { fill: #f3f4f6; }
      .title { font-weight: bold; }
      .faint { fill: #57606a; }
      .input { fill: #e1e4e8; }
      .key { fill: #cfe3f7; }
      .query { fill: #cdebd3; }
      .x { fill: #f7d7dd; }
      .ff { fill: #f8e5c0; }
      .off { fill: #ffffff; }
      .on { fill: #6f4bb8; }
      .line { stroke: #c4c9cf; stroke-width: 0.5; fill: none; }
      @media (prefers-color-scheme: dark) {
        text { fill: #dfe3e8; }
        .paper { fill: #15181c; }
        .layer { fill: #20252b; }
        .faint { fill: #a2abb5; }
        .input { fill: #3a414a; }
        .key { fill: #1f4468; }
        .query { fill: #1f4f31; }
        .x { fill: #5e2a39; }
        .ff { fill: #574216; }
        .off { fill: #15181c; }
        .on { fill: #b59af0; }
        .line { stroke: #4b535c; }
      }
      """;

  private final StringBuilder elements = new StringBuilder();

  /** A text that starts at x, with its baseline at y. */
  void text(double x, double y, String style, String text) {
    add("<text class=\"%s\" x=\"%s\" y=\"%s\">%s</text>", style, x, y, escaped(text));
  }

  /** A text with its middle at x. */
  void centred(double x, double y, String style, String text) {
    add(
        "<text class=\"%s\" text-anchor=\"middle\" x=\"%s\" y=\"%s\">%s</text>",
        style, x, y, escaped(text));
  }

  void box(double x, double y, double width, double height, String style) {
    add(
        "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>",
        style, x, y, width, height);
  }

  void path(CharSequence data, String style) {
    add("<path class=\"%s\" d=\"%s\"/>", style, data);
  }

  String file(double width, double height, double fontSize, String title) {
    return format(
        """
        <svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 %1$s %2$s" width="%1$s"\
         height="%2$s" font-size="%3$s">
        <title>%4$s</title>
        <style>
        %5$s</style>
        <rect class="paper" width="100%%" height="100%%"/>
        %6$s</svg>
        """,
        width, height, fontSize, escaped(title), STYLE, elements);
  }

  private void add(String element, Object... values) {
    elements.append(format(element, values)).append('\n');
  }

  /** Fills in texts, and numbers with at most one decimal. */
  static String format(String template, Object... values) {
    return String.format(
        Locale.ROOT,
        template,
        Arrays.stream(values)
            .map(value -> value instanceof Double number ? number(number) : value)
            .toArray());
  }

  private static String number(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }

  /** The text in XML. Characters that XML or a reader cannot show become their symbols. */
  private static String escaped(String text) {
    return text.codePoints()
        .map(Svg::visible)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString()
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;");
  }

  private static int visible(int c) {
    boolean isControl = c < ' ';
    boolean isInvalid = Character.getType(c) == Character.SURROGATE || (c & 0xfffe) == 0xfffe;
    return isControl ? 0x2400 + c : isInvalid ? 0xfffd : c;
  }
}
