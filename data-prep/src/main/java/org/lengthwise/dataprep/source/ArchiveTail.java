package org.lengthwise.dataprep.source;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Keeps the last bytes that were read of an archive, to detect a truncated archive.
 *
 * <p>The readers of both formats accept an archive that was truncated between two entries, or
 * within an entry's header. Only the last bytes show the truncation: a complete tar ends with at
 * least 512 zero bytes, a zip with the record that ends its central directory.
 */
final class ArchiveTail extends ForwardStream {

  private static final int TAR_BLOCK = 512;
  private static final int ZIP_END_RECORD = 22;
  private static final int ZIP_LONGEST_COMMENT = (1 << 16) - 1;
  private static final int CAPACITY = ZIP_END_RECORD + ZIP_LONGEST_COMMENT;

  /** A ring buffer: the byte at offset n of the archive has the index n modulo the capacity. */
  private final byte[] kept = new byte[CAPACITY];

  private long numBytes;

  ArchiveTail(InputStream in) {
    super(in);
  }

  @Override
  public int read(byte[] destination, int offset, int length) throws IOException {
    int count = in.read(destination, offset, Math.min(length, CAPACITY));
    if (count > 0) {
      int index = (int) (numBytes % CAPACITY);
      int first = Math.min(count, CAPACITY - index);
      System.arraycopy(destination, offset, kept, index, first);
      System.arraycopy(destination, offset + first, kept, 0, count - first);
      numBytes += count;
    }
    return count;
  }

  void requireTarEnd() throws IOException {
    boolean ended = numBytes >= TAR_BLOCK;
    for (int back = 1; ended && back <= TAR_BLOCK; back++) {
      ended = fromEnd(back) == 0;
    }
    if (!ended) {
      throw new EOFException("the archive ends without the zero blocks that close a tar");
    }
    for (byte[] rest = readNBytes(CAPACITY); rest.length > 0; rest = readNBytes(CAPACITY)) {
      if (!Arrays.equals(rest, new byte[rest.length])) {
        throw secondTar();
      }
    }
  }

  static UnsupportedFormatException secondTar() {
    return new UnsupportedFormatException(
        "data after the end of a tar, such as a second tar",
        "unpack it with tar --ignore-zeros, and pack it again");
  }

  void requireZipEnd() throws EOFException {
    long most = Math.min(numBytes, CAPACITY);
    for (int back = ZIP_END_RECORD; back <= most; back++) {
      boolean signature =
          fromEnd(back) == 'P'
              && fromEnd(back - 1) == 'K'
              && fromEnd(back - 2) == 5
              && fromEnd(back - 3) == 6;
      int comment = fromEnd(back - 20) | fromEnd(back - 21) << 8;
      if (signature && comment == back - ZIP_END_RECORD) {
        return;
      }
    }
    throw new EOFException("the archive ends without the record that closes a zip");
  }

  private int fromEnd(int back) {
    return Byte.toUnsignedInt(kept[(int) ((numBytes - back) % CAPACITY)]);
  }
}
