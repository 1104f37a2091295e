package org.lengthwise.dataprep.source;

/** A document as its source holds it: not decoded, not parsed, and cheap to pass to a thread. */
public sealed interface RawDocument {

  DocumentOrigin origin();

  /** {@return the memory that the document needs, in bytes} */
  int numBytes();

  /**
   * A line that should be a JSON object with the document under {@code text}, without the end of
   * line.
   */
  record JsonRecord(DocumentOrigin origin, Bytes line) implements RawDocument {
    @Override
    public int numBytes() {
      return line.length();
    }
  }

  /** A file or archive entry that should be the document itself, in UTF-8. */
  record PlainText(DocumentOrigin origin, Bytes content) implements RawDocument {
    @Override
    public int numBytes() {
      return content.length();
    }
  }

  /**
   * A document of a token file.
   *
   * @param ids its tokens, without end-of-text
   */
  record TokenIds(DocumentOrigin origin, int[] ids) implements RawDocument {
    @Override
    public int numBytes() {
      return Integer.BYTES * ids.length;
    }
  }

  /** A document that is longer than the limit, in bytes. Its content was not kept. */
  record TooLong(DocumentOrigin origin, int limit) implements RawDocument {
    @Override
    public int numBytes() {
      return 0;
    }
  }

  /**
   * An archive entry that is empty, binary, a link, or one that macOS adds. An entry is binary by
   * its name's extension, or by a zero byte in its first 8 KiB. Its content was not kept.
   */
  record NotText(DocumentOrigin origin) implements RawDocument {
    @Override
    public int numBytes() {
      return 0;
    }
  }
}
