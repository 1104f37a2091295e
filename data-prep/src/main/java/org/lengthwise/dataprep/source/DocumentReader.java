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
import org.lengthwise.dataprep.DataFormatException;

/** Takes one file apart into documents, by its kind. */
final class DocumentReader {

  private final InputFile file;
  private final int documentByteLimit;
  private final DocumentSink sink;

  /** The place being read, for the message if it cannot be. */
  private Origin at;

  DocumentReader(InputFile file, int documentByteLimit, DocumentSink sink) {
    this.file = file;
    this.documentByteLimit = documentByteLimit;
    this.sink = sink;
    at = new Origin(file.uri(), file.name(), "", 0);
  }

  /** Reads the documents of the file; what follows the last of them may be left unread. */
  void read(DigestingInputStream stream) {
    try (InputStream in = file.kind().decompress(new Unclosed(stream))) {
      switch (file.kind().layout()) {
        case RECORDS -> readRecords(in);
        case TEXT -> readText(in);
        case TAR -> readTar(in);
        case ZIP -> readZip(in);
      }
    } catch (IOException e) {
      throw new DataFormatException(
          at + ", after byte " + stream.numBytes() + " of the file",
          "a whole and undamaged file",
          found(e),
          "compare its length and checksum with the original's and get it again",
          e);
    }
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
      if (lines.isTooLong()) {
        sink.accept(new RawDocument.TooLong(at, documentByteLimit));
      } else if (!lines.isBlank()) {
        sink.accept(new RawDocument.JsonRecord(at, new Bytes(lines.line())));
      }
    }
  }

  private void readText(InputStream in) throws IOException {
    int most = documentByteLimit + 1;
    byte[] content = in.readNBytes(most);
    sink.accept(
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
        if (entry.isFile()) {
          readEntry(tar);
        }
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
        if (!entry.isDirectory()) {
          readEntry(content);
          content.transferTo(OutputStream.nullOutputStream());
        }
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
      try (InputStream in = kind.decompress(new Unclosed(content))) {
        readRecords(in);
      }
      return;
    }
    PushbackInputStream peeked = new PushbackInputStream(content, Bytes.BEGINNING);
    byte[] beginning = peeked.readNBytes(Bytes.BEGINNING);
    boolean binary = BinaryNames.contains(at.member()) || new Bytes(beginning).looksBinary();
    if (binary || beginning.length == 0) {
      sink.accept(new RawDocument.NotText(at));
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
