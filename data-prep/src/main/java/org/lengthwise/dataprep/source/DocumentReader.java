package org.lengthwise.dataprep.source;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveInputStream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.dataprep.DataFormatException;

/**
 * Takes one file apart into documents, by its kind, from its first document on or from a later one.
 */
final class DocumentReader {

  private static final Logger LOG = LogManager.getLogger(DocumentReader.class);

  private final InputFile file;
  private final int documentByteLimit;
  private final DocumentSink sink;

  /** Entries and documents of an entry before these were passed on in an earlier reading. */
  private final long firstEntry;

  private final long firstDocument;

  /** The place being read, for the message if it cannot be. */
  private Origin at;

  /** Whether it was told that damage may go unnoticed. */
  private boolean warned;

  private long numEntries;
  private long numDocuments;

  DocumentReader(InputFile file, int documentByteLimit, DocumentSink sink) {
    this(file, documentByteLimit, sink, Place.startOf(0));
  }

  DocumentReader(InputFile file, int documentByteLimit, DocumentSink sink, Place start) {
    this.file = file;
    this.documentByteLimit = documentByteLimit;
    this.sink = sink;
    firstEntry = start.entry();
    firstDocument = start.documents();
    at = new Origin(file.uri(), file.name(), "", 0);
  }

  /** How many entries of an archive have been read to their end. */
  long numEntries() {
    return numEntries;
  }

  /** How many documents of the entry, or of a file that is no archive, have been passed on. */
  long numDocuments() {
    return numDocuments;
  }

  /** Reads the documents of the file; what follows the last of them may be left unread. */
  void read(DigestingInputStream stream) {
    try (InputStream in = file.kind().decompress(new Unclosed(stream), this::warnOfNoChecksum)) {
      switch (file.kind().layout()) {
        case RECORDS -> readRecords(in);
        case TEXT -> readText(in);
        case TAR -> readTar(in);
        case ZIP -> readZip(in);
      }
    } catch (IOException e) {
      throw damaged(at + ", after byte " + stream.numBytes() + " of the file", e);
    }
  }

  /** Reads the documents of one entry of the file, a tar; some of it may be left unread. */
  void readEntry(String member, DigestingInputStream content) {
    at = at.member(member);
    try {
      readEntry(content);
    } catch (IOException e) {
      throw damaged(at + ", after byte " + content.numBytes() + " of the entry", e);
    }
  }

  private void warnOfNoChecksum() {
    if (!warned) {
      warned = true;
      LOG.warn("{} has a zstd frame without a checksum: damage in it may go unnoticed", at);
    }
  }

  private static DataFormatException damaged(String where, IOException e) {
    return new DataFormatException(
        where,
        "a whole and undamaged file",
        found(e),
        "compare its length and checksum with the original's and get it again",
        e);
  }

  /** The failure in words; the gzip decoder gives none when its input runs out. */
  private static String found(IOException e) {
    String message = e.getMessage();
    if (message != null) {
      return message;
    }
    return e instanceof EOFException ? "a compressed stream that ends early" : e.toString();
  }

  private void readRecords(InputStream in) throws IOException {
    Origin records = at;
    LineReader lines = new LineReader(in, documentByteLimit);
    while (lines.advance()) {
      at = records.line(lines.number());
      if (lines.isBlank() || isSkipped()) {
        continue;
      }
      passOn(
          lines.isTooLong()
              ? new RawDocument.TooLong(at, documentByteLimit)
              : new RawDocument.JsonRecord(at, new Bytes(lines.line())));
    }
  }

  /** Whether the next document was passed on in an earlier reading; if so it counts as read. */
  private boolean isSkipped() {
    boolean skipped = numEntries == firstEntry && numDocuments < firstDocument;
    if (skipped) {
      numDocuments++;
    }
    return skipped;
  }

  private void passOn(RawDocument document) {
    numDocuments++;
    sink.accept(document);
  }

  /** Whether the next entry was read to its end in an earlier reading; if so it counts as read. */
  private boolean isEntrySkipped() {
    boolean skipped = numEntries < firstEntry;
    if (skipped) {
      numEntries++;
    }
    return skipped;
  }

  private void endEntry() {
    numEntries++;
    numDocuments = 0;
  }

  private void readText(InputStream in) throws IOException {
    if (isSkipped()) {
      return;
    }
    int most = documentByteLimit + 1;
    byte[] content = in.readNBytes(most);
    passOn(
        content.length == most
            ? new RawDocument.TooLong(at, documentByteLimit)
            : new RawDocument.PlainText(at, new Bytes(content)));
  }

  private void readTar(InputStream in) throws IOException {
    Origin archive = at;
    ArchiveTail tail = new ArchiveTail(in);
    try (TarArchiveInputStream tar = new TarArchiveInputStream(tail, "UTF-8")) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        at = archive.member(entry.getName());
        if (!entry.isCheckSumOK()) {
          throw new IOException("an entry's header whose checksum is not the one stored in it");
        }
        if (isEntrySkipped()) {
          continue;
        }
        if (entry.isFile()) {
          readEntry(tar);
        }
        endEntry();
      }
      tail.requireTarEnd();
      in.transferTo(OutputStream.nullOutputStream());
    }
  }

  private void readZip(InputStream in) throws IOException {
    Origin archive = at;
    ArchiveTail tail = new ArchiveTail(in);
    try (ZipArchiveInputStream zip = new ZipArchiveInputStream(tail, "UTF-8", true, true)) {
      ZipArchiveEntry entry = zip.getNextEntry();
      while (entry != null) {
        at = archive.member(entry.getName());
        if (!zip.canReadEntryData(entry)) {
          throw new IOException("an entry that is encrypted or packed by an unknown method");
        }
        CheckedInputStream content = new CheckedInputStream(zip, new CRC32());
        if (!isEntrySkipped()) {
          if (!entry.isDirectory()) {
            readEntry(content);
          }
          endEntry();
        }
        content.transferTo(OutputStream.nullOutputStream());
        ZipArchiveEntry next = zip.getNextEntry();
        // The checksum may follow the content, so the entry knows it only when the next one is met.
        if (entry.getCrc() >= 0 && entry.getCrc() != content.getChecksum().getValue()) {
          throw new IOException("content whose checksum is not the one stored with it");
        }
        entry = next;
      }
      tail.transferTo(OutputStream.nullOutputStream());
      tail.requireZipEnd();
    }
  }

  /** Reads an archive's entry: records by its name, else a text unless it is binary or empty. */
  private void readEntry(InputStream content) throws IOException {
    FileKind kind = FileKind.of(at.member()).orElse(FileKind.ANY_TEXT);
    if (kind.layout() == FileKind.Layout.RECORDS) {
      try (InputStream in = kind.decompress(new Unclosed(content), this::warnOfNoChecksum)) {
        readRecords(in);
      }
      return;
    }
    PushbackInputStream peeked = new PushbackInputStream(content, Bytes.BEGINNING);
    byte[] beginning = peeked.readNBytes(Bytes.BEGINNING);
    boolean binary = BinaryNames.contains(at.member()) || new Bytes(beginning).looksBinary();
    if (binary || beginning.length == 0) {
      if (!isSkipped()) {
        passOn(new RawDocument.NotText(at));
      }
    } else {
      peeked.unread(beginning);
      readText(peeked);
    }
  }

  /** A stream that outlives the decoder on top of it. */
  private static final class Unclosed extends FilterInputStream {
    Unclosed(InputStream in) {
      super(in);
    }

    @Override
    public void close() {}
  }
}
