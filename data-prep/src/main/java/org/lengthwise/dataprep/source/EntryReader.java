package org.lengthwise.dataprep.source;

import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import org.jspecify.annotations.Nullable;

/** Reads the documents of one archive entry, or of a file that is not an archive. */
sealed interface EntryReader extends Closeable
    permits StreamEntry, NestedTar, RowGroupReader, TokenReader {

  @Nullable RawDocument next() throws IOException;

  DocumentOrigin position();

  /**
   * How entries are read.
   *
   * @param documentByteLimit longer documents are reported without their content, in bytes
   * @param withoutChecksum is called if a stream begins with a zstd frame or an xz stream that has
   *     no checksum
   */
  record Settings(Reading reading, int documentByteLimit, Runnable withoutChecksum) {}

  /**
   * An archive's entry, which stays open. One whose name ends with .xz may hold a tar of texts, as
   * those of OpenWebText do.
   */
  static EntryReader ofEntry(DocumentOrigin origin, Entries.Member entry, Settings settings)
      throws IOException {
    FileKind kind = entry.kind();
    InputStream unpacked = kind.decompress(new Unclosed(entry.content()), settings);
    if (kind.layout() == FileKind.Layout.TEXT && kind.compression() == FileKind.Compression.XZ) {
      PushbackInputStream peeked = new PushbackInputStream(unpacked, FileKind.TAR_BLOCK);
      byte[] beginning = peeked.readNBytes(FileKind.TAR_BLOCK);
      peeked.unread(beginning);
      if (FileKind.isTar(beginning)) {
        return new NestedTar(origin, peeked, settings);
      }
      unpacked = peeked;
    }
    return new StreamEntry(origin, true, kind, unpacked, settings);
  }

  static EntryReader ofFile(
      DocumentOrigin origin, FileKind kind, InputStream content, Settings settings)
      throws IOException {
    InputStream unpacked = kind.decompress(new Unclosed(content), settings);
    return new StreamEntry(origin, false, kind, unpacked, settings);
  }

  /** A stream of the file that stays open when a decoder that reads it is closed. */
  final class Unclosed extends FilterInputStream {
    Unclosed(InputStream in) {
      super(in);
    }

    @Override
    public void close() {}
  }
}
