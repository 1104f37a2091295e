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

  /** The next document; null at the end. */
  @Nullable RawDocument next() throws IOException;

  /** The origin of the document that was read last. */
  DocumentOrigin position();

  /**
   * Opens an archive's entry. An entry whose name ends with .xz may hold a tar of texts, as those
   * of OpenWebText do.
   *
   * @param origin the entry's origin
   * @param content its bytes, which stay open
   * @param withoutChecksum is called if the entry is packed without a checksum
   */
  static EntryReader ofEntry(
      DocumentOrigin origin, InputStream content, int documentByteLimit, Runnable withoutChecksum)
      throws IOException {
    FileKind kind = FileKind.ofEntry(origin.member());
    InputStream unpacked = kind.decompress(new Unclosed(content), withoutChecksum);
    if (kind.layout() == FileKind.Layout.TEXT && kind.compression() == FileKind.Compression.XZ) {
      PushbackInputStream peeked = new PushbackInputStream(unpacked, FileKind.TAR_BLOCK);
      byte[] beginning = peeked.readNBytes(FileKind.TAR_BLOCK);
      peeked.unread(beginning);
      if (FileKind.isTar(beginning)) {
        return new NestedTar(origin, peeked, documentByteLimit, withoutChecksum);
      }
      unpacked = peeked;
    }
    return new StreamEntry(origin, true, kind, unpacked, documentByteLimit);
  }

  /**
   * Opens a file that is not an archive.
   *
   * @param origin the file's origin
   * @param kind how it is read
   * @param content its bytes, which stay open
   * @param withoutChecksum is called if the file is packed without a checksum
   */
  static EntryReader ofFile(
      DocumentOrigin origin,
      FileKind kind,
      InputStream content,
      int documentByteLimit,
      Runnable withoutChecksum)
      throws IOException {
    InputStream unpacked = kind.decompress(new Unclosed(content), withoutChecksum);
    return new StreamEntry(origin, false, kind, unpacked, documentByteLimit);
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
