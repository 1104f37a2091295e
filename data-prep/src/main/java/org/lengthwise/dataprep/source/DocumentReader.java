package org.lengthwise.dataprep.source;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.AppendedFile.Prefix;
import org.lengthwise.dataprep.shard.InputEntry;
import org.lengthwise.error.DataFormatException;
import org.tukaani.xz.MemoryLimitException;

/**
 * Reads the documents of one file, one after another, from the first document or from a later one.
 */
public final class DocumentReader implements Closeable {

  private static final Logger LOG = LogManager.getLogger(DocumentReader.class);

  private final InputFile file;
  private final DigestingInputStream bytes;
  private final CorpusOffset start;
  private final int documentByteLimit;

  /** The meaning of {@link #bytes} in messages: a file, or an entry alone. */
  private final String content;

  /** Opens the entries of a Parquet file; null for other files. */
  private @Nullable Opener rowGroups;

  /** The entries of the file; null until the first document is read. */
  private @Nullable Entries entries;

  /** The current entry; null between two entries. */
  private @Nullable EntryReader entry;

  private DocumentOrigin origin;

  private long entryIndex = -1;
  private long numDocuments;
  private boolean warned;

  @FunctionalInterface
  private interface Opener {
    Entries open() throws IOException;
  }

  private DocumentReader(
      InputFile file,
      DigestingInputStream bytes,
      CorpusOffset start,
      int documentByteLimit,
      String content) {
    this.file = file;
    this.bytes = bytes;
    this.start = start;
    this.documentByteLimit = documentByteLimit;
    this.content = content;
    origin = file.origin();
  }

  static DocumentReader ofFile(
      InputFile file, CorpusOffset start, int documentByteLimit, LongConsumer bytesRead) {
    return file.kind().layout() == FileKind.Layout.PARQUET
        ? ofRowGroups(file, Part.of(file), start, documentByteLimit, bytesRead)
        : new DocumentReader(
            file, file.open(start.content(), bytesRead), start, documentByteLimit, "file");
  }

  /** Reads the row groups of a Parquet file that a part covers. */
  static DocumentReader ofRowGroups(
      InputFile file,
      Part part,
      CorpusOffset start,
      int documentByteLimit,
      LongConsumer bytesRead) {
    SeekableByteChannel channel = file.openChannel(part.coversFile());
    DigestingInputStream bytes =
        new DigestingInputStream(
            Channels.newInputStream(channel), file.uri(), start.content(), bytesRead);
    DocumentReader reader = new DocumentReader(file, bytes, start, documentByteLimit, "file");
    reader.rowGroups =
        () -> {
          ParquetColumn column = ParquetColumn.open(file, channel, bytes);
          return new Entries.RowGroups(column, part.rowGroups(column), documentByteLimit);
        };
    return reader;
  }

  /** Reads one entry of a tar; {@code bytes} is the content of that entry only. */
  static DocumentReader ofEntry(
      InputFile tar, Part part, DigestingInputStream bytes, int documentByteLimit) {
    DocumentReader reader =
        new DocumentReader(tar, bytes, CorpusOffset.startOf(0), documentByteLimit, "entry");
    reader.entries =
        new Entries.Single(new Entries.Member(part.member(), true, part.isLink(), bytes));
    return reader;
  }

  /**
   * {@return the next document; null at the end of the file}
   *
   * @throws DataFormatException if the file is truncated or damaged, or is not the file of the
   *     start
   */
  public @Nullable RawDocument next() {
    try {
      RawDocument document = read();
      while (document != null && isBeforeStart()) {
        document = read();
      }
      return document;
    } catch (IOException e) {
      throw damaged(e);
    }
  }

  /**
   * {@return whether the bytes before the start are known to be unchanged: all of them were read
   * and compared} Only then may a resume point be saved after the document that was read last.
   */
  public boolean isPastStart() {
    return bytes.isPastBeginning();
  }

  public CorpusOffset offset() {
    Prefix read = new Prefix(bytes.numBytes(), bytes.sha256());
    return new CorpusOffset(start.file(), entryIndex, numDocuments, read);
  }

  /**
   * Reads the rest of the file.
   *
   * @throws DataFormatException if the file ends before the start
   */
  public InputEntry finish() {
    InputEntry identity = rowGroups == null ? file.identity(bytes) : file.identityOfColumn(bytes);
    if (!bytes.isPastBeginning()) {
      throw DigestingInputStream.changed(
          file.uri(), "a shorter one, of %s bytes".formatted(bytes.numBytes()));
    }
    return identity;
  }

  private @Nullable RawDocument read() throws IOException {
    EntryReader current = entry == null ? openNextEntry() : entry;
    while (current != null) {
      RawDocument document = current.next();
      if (document != null) {
        numDocuments++;
        return document;
      }
      current.close();
      current = openNextEntry();
    }
    return null;
  }

  private boolean isBeforeStart() {
    return entryIndex == start.entry() && numDocuments <= start.documents();
  }

  /** Opens the next entry that is a file and does not end before the start; null at the end. */
  private @Nullable EntryReader openNextEntry() throws IOException {
    entry = null;
    Entries all = entries == null ? openEntries() : entries;
    for (Entries.Entry next = all.next(); next != null; next = all.next()) {
      entryIndex++;
      numDocuments = 0;
      origin = next instanceof Entries.Member named ? file.origin().member(named.name()) : origin;
      if (entryIndex >= start.entry()) {
        entry = open(next);
        if (entry != null) {
          return entry;
        }
      }
    }
    return null;
  }

  private Entries openEntries() throws IOException {
    entries =
        switch (file.kind().layout()) {
          case RECORDS, TEXT -> new Entries.Single("", bytes);
          case PARQUET -> Objects.requireNonNull(rowGroups).open();
          case TOKENS -> new Entries.Whole(TokenReader.open(file, bytes, documentByteLimit));
          case INDEX -> new Entries.Whole(null);
          case TAR -> new Entries.Tar(origin, file.kind().decompress(bytes, settings()));
          case ZIP -> new Entries.Zip(file.kind().decompress(bytes, settings()));
        };
    return entries;
  }

  /** Opens an entry; null if it is not a file. */
  private @Nullable EntryReader open(Entries.Entry next) throws IOException {
    if (next instanceof Entries.Documents documents) {
      return documents.reader();
    }
    Entries.Member stream = (Entries.Member) next;
    if (!stream.isFile()) {
      return null;
    }
    return file.kind().isArchive()
        ? EntryReader.ofEntry(origin, stream, settings())
        : EntryReader.ofFile(origin, file.kind(), stream.content(), settings());
  }

  private EntryReader.Settings settings() {
    return new EntryReader.Settings(file.reading(), documentByteLimit, this::warnOfNoChecksum);
  }

  private DocumentOrigin position() {
    return entry == null ? origin : entry.position();
  }

  private void warnOfNoChecksum() {
    if (!warned) {
      warned = true;
      LOG.warn("{} is packed without a checksum: damage in it may not be noticed", position());
    }
  }

  private DataFormatException damaged(IOException e) {
    // The failures of a file of ids name their byte.
    boolean isOfIds = file.kind().layout() == FileKind.Layout.TOKENS;
    UnsupportedFormatException unsupported = UnsupportedFormatException.in(e);
    if (unsupported != null) {
      return unsupported.of(position().toString());
    }
    String advice = "compare its length and checksum with the original's and get it again";
    if (isOfIds) {
      advice = "check --tokens and --tokenizer, or " + advice;
    } else if (e instanceof MemoryLimitException) {
      advice = "pack it again, as with xz -9";
    }
    return new DataFormatException(
        isOfIds
            ? file.origin().toString()
            : "%s, after byte %s of the %s".formatted(position(), bytes.numBytes(), content),
        "a whole and undamaged file",
        found(e),
        advice,
        e);
  }

  /** The failure in words; the gzip decoder gives no message when its input ends early. */
  private static String found(IOException e) {
    String message = e.getMessage();
    if (message != null) {
      return message;
    }
    return e instanceof EOFException ? "a compressed stream that ends early" : e.toString();
  }

  @Override
  public void close() throws IOException {
    try (bytes) {
      closeEntry();
    } finally {
      if (entries != null) {
        entries.close();
      }
    }
  }

  private void closeEntry() throws IOException {
    if (entry != null) {
      entry.close();
    }
  }
}
