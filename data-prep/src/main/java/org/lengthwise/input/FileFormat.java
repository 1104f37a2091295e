package org.lengthwise.input;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The formats that the first bytes of a file show, whatever its name is. */
public enum FileFormat {
  GZIP("gzip data", "\u001F\u008B.*"),
  ZSTD("zstd data", "[(]\u00B5/\u00FD.*"),
  XZ("xz data", "\u00FD7zXZ\0.*"),
  BZIP2("bzip2 data", "BZh[1-9]1AY&SY.*"),
  ZIP("a zip archive", "PK\u0003\u0004.*"),
  PARQUET("a Parquet file", "PAR1[\u0000-\u001F].*"),
  PAGE(
      "a page of HTML or XML, as servers send in place of a file",
      "(\u00EF\u00BB\u00BF)?\\s*(?i:<!doctype|<html|<\\?xml).*"),
  TEXT("text", "[\\t\\n\\r -~]{8,}");

  private final String inWords;
  private final Pattern start;

  FileFormat(String inWords, String start) {
    this.inWords = inWords;
    this.start = Pattern.compile(start, Pattern.DOTALL);
  }

  @Override
  public String toString() {
    return inWords;
  }

  /**
   * {@return the format of a file; null if it has none of them}
   *
   * @param start its first bytes, or all of them
   */
  public static @Nullable FileFormat of(byte[] start) {
    Predicate<FileFormat> isOf =
        format -> format.start.matcher(new String(start, ISO_8859_1)).matches();
    return Stream.of(values()).filter(isOf).findFirst().orElse(null);
  }
}
