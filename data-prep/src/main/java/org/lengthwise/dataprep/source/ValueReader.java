package org.lengthwise.dataprep.source;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lengthwise.input.TextFile;

/**
 * Splits a stream into JSON values: the elements of a list, or values that follow one another, over
 * any number of lines. Only brackets and quotation marks are read, so a malformed value is a record
 * too, and may take in those after it.
 */
final class ValueReader extends RecordSplitter {

  /** A list of objects, or an object over several lines. Lines never begin so. */
  private static final Pattern BEGINNING =
      Pattern.compile("\\s*(\\[\\s*\\{|\\[\\s*\\R|\\{[ \\t]*\\R\\s*\").*", Pattern.DOTALL);

  private static final Pattern FIRST_OBJECT =
      Pattern.compile("\\s*(?:\\[\\s*)?\\{(.*)", Pattern.DOTALL);

  private final boolean mustEnd;
  private boolean inList;
  private int depth;
  private boolean inString;
  private boolean escaped;

  /**
   * Begins to read.
   *
   * @param mustEnd whether a value or a list without an end is an error; otherwise the value is a
   *     record
   */
  ValueReader(InputStream in, int limit, boolean mustEnd) {
    super(in, limit);
    this.mustEnd = mustEnd;
  }

  static boolean reads(byte[] beginning) throws IOException {
    return BEGINNING.matcher(text(beginning)).matches() || hasTwoInALine(beginning);
  }

  /** Whether an object follows another one in its line, or after a CR that ends the line. */
  private static boolean hasTwoInALine(byte[] beginning) throws IOException {
    ValueReader values =
        new ValueReader(new ByteArrayInputStream(beginning), beginning.length, false);
    String first = values.advance() ? text(values.bytes()) : "";
    String all = text(beginning);
    String rest = all.substring(all.indexOf(first) + first.length());
    return first.startsWith("{") && rest.matches("(?s)[ \\t\\r]*\\{.*");
  }

  /**
   * Whether a file begins with an object that has a key, alone or in a list; {@code a.b} is b in
   * the object under a.
   */
  static boolean hasRecord(byte[] beginning, String key) {
    String last = "\"" + key.substring(key.lastIndexOf('.') + 1) + "\"";
    Matcher found = FIRST_OBJECT.matcher(text(beginning));
    return found.lookingAt()
        && Pattern.compile(Pattern.quote(last) + "\\s*:").matcher(found.group(1)).find();
  }

  private static String text(byte[] beginning) {
    int mark = TextFile.markLength(beginning);
    return new String(beginning, mark, beginning.length - mark, StandardCharsets.UTF_8);
  }

  @Override
  boolean advance() throws IOException {
    begin();
    skipSeparators();
    if (!hasByte()) {
      if (inList && mustEnd) {
        throw new EOFException("a list of " + number + " records that ends without ]");
      }
      return false;
    }
    number++;
    depth = 0;
    inString = false;
    boolean isFirst = true;
    boolean complete = false;
    while (!complete && hasByte()) {
      int next = position;
      while (!complete && next < end) {
        byte b = buffer[next];
        if (!isFirst && depth == 0 && !inString && endsScalar(b)) {
          break;
        }
        complete = isLast(b);
        isFirst = false;
        next++;
      }
      keep(next - position);
      complete |= next < end;
      position = next;
    }
    if (mustEnd && !complete && (depth > 0 || inString)) {
      throw new EOFException(
          "record %s does not end: a bracket or a quotation mark is missing".formatted(number));
    }
    return true;
  }

  @Override
  boolean isBlank() {
    return false;
  }

  private void skipSeparators() throws IOException {
    while (hasByte()) {
      byte b = buffer[position];
      boolean opens = b == '[' && number == 0 && !inList;
      boolean closes = b == ']' && inList;
      if (!opens && !closes && !isWhiteSpace(b) && !(b == ',' && inList)) {
        return;
      }
      inList = opens || (inList && !closes);
      position++;
    }
  }

  private static boolean endsScalar(byte b) {
    return isWhiteSpace(b) || b == ',' || b == ']' || b == '}';
  }

  private boolean isLast(byte b) {
    if (inString) {
      boolean closes = b == '"' && !escaped;
      escaped = b == '\\' && !escaped;
      inString = !closes;
      return closes && depth == 0;
    }
    switch (b) {
      case '"' -> inString = true;
      case '{', '[' -> depth++;
      case '}', ']' -> depth--;
      default -> {
        return false;
      }
    }
    return !inString && depth <= 0;
  }
}
