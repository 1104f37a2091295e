package org.lengthwise.eval.report;

/** Text as HTML. */
final class HtmlText {
  private HtmlText() {}

  /** Escaped, for content and for attribute values in double quotes. */
  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** Escaped, with the legend's subscripts set as such. */
  static String prose(String text) {
    return escape(text)
        .replace("T_ex", "<i>T</i><sub>ex</sub>")
        .replace("T_tr", "<i>T</i><sub>tr</sub>");
  }

  /** A paragraph of explanation; one that begins with a warning looks like one. */
  static String note(String sentence) {
    String kind = sentence.startsWith("Warning") ? "note warning" : "note";
    return "<p class=\"%s\">%s</p>\n".formatted(kind, prose(sentence));
  }
}
