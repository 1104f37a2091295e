package org.lengthwise.dataprep.source;

/** A document as its source holds it: undecoded, unjudged, and cheap to hand to another thread. */
public sealed interface RawDocument {

  /**
   * Where it was found.
   *
   * @return the place
   */
  Origin origin();

  /**
   * How much memory it holds on to.
   *
   * @return a number of bytes
   */
  int numBytes();

  /**
   * A line that should be a JSON object with the document under {@code text}.
   *
   * @param origin where it was found
   * @param line its bytes, without the line's end
   */
  record JsonRecord(Origin origin, Bytes line) implements RawDocument {
    @Override
    public int numBytes() {
      return line.length();
    }
  }

  /**
   * A file or archive entry that should be the document itself, in UTF-8.
   *
   * @param origin where it was found
   * @param content its bytes
   */
  record PlainText(Origin origin, Bytes content) implements RawDocument {
    @Override
    public int numBytes() {
      return content.length();
    }
  }

  /**
   * A document that is longer than the limit, of which nothing was kept.
   *
   * @param origin where it was found
   * @param limit the limit in bytes
   */
  record TooLong(Origin origin, int limit) implements RawDocument {
    @Override
    public int numBytes() {
      return 0;
    }
  }

  /**
   * An archive's entry that is empty, or of a binary format by its name or a zero byte in its first
   * 8 KiB, as images and classes are; nothing was kept.
   *
   * @param origin where it was found
   */
  record NotText(Origin origin) implements RawDocument {
    @Override
    public int numBytes() {
      return 0;
    }
  }
}
