package org.lengthwise.dataprep.source;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.input.GitLfsPointer;
import org.lengthwise.input.TextFile;

/**
 * Reads the documents of a stream: one text, or records. Its first bytes show what its name does
 * not: a byte order mark, another encoding, a Git LFS pointer, records as a list.
 */
final class StreamEntry implements EntryReader {

  private final DocumentOrigin origin;
  private final EntryReader.Settings settings;
  private final boolean isInArchive;
  private final PushbackInputStream in;
  private final byte[] beginning;

  /** The records of the stream; null if it is one text. */
  private final @Nullable RecordSplitter records;

  private boolean textRead;

  /** Opens an entry. One in an archive may be binary or empty, and is marked as no text then. */
  StreamEntry(
      DocumentOrigin origin,
      boolean isInArchive,
      FileKind kind,
      InputStream in,
      EntryReader.Settings settings)
      throws IOException {
    this.origin = origin;
    this.isInArchive = isInArchive;
    this.settings = settings;
    this.in = new PushbackInputStream(in, Bytes.BEGINNING);
    byte[] first = this.in.readNBytes(Bytes.BEGINNING);
    this.in.unread(first, 0, first.length);
    this.in.skipNBytes(TextFile.markLength(first));
    beginning = first;
    records = holdsRecords(kind, first) ? recordsOf(first) : null;
  }

  /** A pointer in an archive is one text, which the parser rejects. */
  private boolean holdsRecords(FileKind kind, byte[] first) {
    return !GitLfsPointer.matches(first)
        && (kind.layout() == FileKind.Layout.RECORDS
            || (isInArchive
                && FileKind.isJson(origin.member())
                && ValueReader.hasRecord(first, settings.reading().textColumn())));
  }

  private RecordSplitter recordsOf(byte[] first) throws IOException {
    String other = TextFile.otherEncoding(first);
    if (other != null) {
      throw new DataFormatException(
          origin.toString(),
          "records in UTF-8",
          other,
          "convert it: " + TextFile.conversion(other));
    }
    return ValueReader.reads(first)
        ? new ValueReader(in, settings.documentByteLimit(), !isInArchive)
        : new LineReader(in, settings.documentByteLimit());
  }

  @Override
  public @Nullable RawDocument next() throws IOException {
    if (records != null) {
      return record(records);
    }
    if (textRead) {
      return null;
    }
    textRead = true;
    return isInArchive && isBinaryOrEmpty() ? new RawDocument.NotText(origin) : text();
  }

  @Override
  public DocumentOrigin position() {
    return records == null ? origin : origin.line(records.number());
  }

  private @Nullable RawDocument record(RecordSplitter from) throws IOException {
    while (from.advance()) {
      if (from.isTooLong()) {
        return new RawDocument.TooLong(position(), settings.documentByteLimit());
      }
      if (!from.isBlank()) {
        return new RawDocument.JsonRecord(position(), new Bytes(from.bytes()));
      }
    }
    return null;
  }

  private boolean isBinaryOrEmpty() {
    return beginning.length == 0
        || FileKind.isBinary(origin.member())
        || (new Bytes(beginning).looksBinary() && !TextFile.hasOtherMark(beginning));
  }

  private RawDocument text() throws IOException {
    int most = settings.documentByteLimit() + 1;
    byte[] content = in.readNBytes(most);
    return content.length == most
        ? new RawDocument.TooLong(origin, settings.documentByteLimit())
        : new RawDocument.PlainText(origin, new Bytes(content));
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
