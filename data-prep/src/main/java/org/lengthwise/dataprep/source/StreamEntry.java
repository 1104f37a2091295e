package org.lengthwise.dataprep.source;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import org.jspecify.annotations.Nullable;

/** Reads the documents of a stream: one text, or a record in each line. */
final class StreamEntry implements EntryReader {

  private final DocumentOrigin origin;
  private final int documentByteLimit;
  private final boolean isInArchive;
  private final InputStream in;

  /** The lines of an entry with records; null if the entry is one text. */
  private final @Nullable LineReader lines;

  private boolean textRead;

  /**
   * Opens an entry.
   *
   * @param origin the entry's origin
   * @param isInArchive whether it may be binary or empty, and is marked as no text then
   * @param kind whether it holds records or is one text
   * @param in its unpacked bytes, which this reader closes
   */
  StreamEntry(
      DocumentOrigin origin,
      boolean isInArchive,
      FileKind kind,
      InputStream in,
      int documentByteLimit) {
    this.origin = origin;
    this.isInArchive = isInArchive;
    this.documentByteLimit = documentByteLimit;
    this.in = in;
    boolean holdsRecords = kind.layout() == FileKind.Layout.RECORDS;
    lines = holdsRecords ? new LineReader(in, documentByteLimit) : null;
  }

  @Override
  public @Nullable RawDocument next() throws IOException {
    if (lines != null) {
      return record(lines);
    }
    if (textRead) {
      return null;
    }
    textRead = true;
    return isInArchive ? textUnlessBinaryOrEmpty() : text(in);
  }

  @Override
  public DocumentOrigin position() {
    return lines == null ? origin : origin.line(lines.number());
  }

  private @Nullable RawDocument record(LineReader from) throws IOException {
    while (from.advance()) {
      if (from.isTooLong()) {
        return new RawDocument.TooLong(position(), documentByteLimit);
      }
      if (!from.isBlank()) {
        return new RawDocument.JsonRecord(position(), new Bytes(from.line()));
      }
    }
    return null;
  }

  private RawDocument textUnlessBinaryOrEmpty() throws IOException {
    PushbackInputStream peeked = new PushbackInputStream(in, Bytes.BEGINNING);
    byte[] beginning = peeked.readNBytes(Bytes.BEGINNING);
    boolean binary = FileKind.isBinary(origin.member()) || new Bytes(beginning).looksBinary();
    if (binary || beginning.length == 0) {
      return new RawDocument.NotText(origin);
    }
    peeked.unread(beginning);
    return text(peeked);
  }

  private RawDocument text(InputStream from) throws IOException {
    int most = documentByteLimit + 1;
    byte[] content = from.readNBytes(most);
    return content.length == most
        ? new RawDocument.TooLong(origin, documentByteLimit)
        : new RawDocument.PlainText(origin, new Bytes(content));
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
