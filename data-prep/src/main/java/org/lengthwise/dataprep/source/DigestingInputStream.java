package org.lengthwise.dataprep.source;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.function.LongConsumer;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.artifact.AppendedFile.Mark;
import org.lengthwise.dataprep.artifact.Sha256;

/**
 * Counts and digests what is read of an input, and tells a listener how far it is.
 *
 * <p>It may be told what the input's beginning was when it was read before, and then refuses one
 * that has become another.
 */
final class DigestingInputStream extends FilterInputStream {

  private final MessageDigest digest = Sha256.newDigest();
  private final String uri;
  private final Mark beginning;
  private final LongConsumer listener;
  private long numBytes;

  /**
   * Starts at the first byte.
   *
   * @param in the whole input
   * @param uri its name, for messages
   * @param beginning what the input held when it was read before, up to some byte
   * @param listener is told the number of bytes read so far
   */
  DigestingInputStream(InputStream in, String uri, Mark beginning, LongConsumer listener) {
    super(in);
    this.uri = uri;
    this.beginning = beginning;
    this.listener = listener;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] destination, int offset, int length) throws IOException {
    int count = super.read(destination, offset, (int) Math.min(length, untilComparison()));
    if (count > 0) {
      digest.update(destination, offset, count);
      numBytes += count;
      listener.accept(numBytes);
      if (numBytes == beginning.bytes() && !sha256().equals(beginning.sha256())) {
        throw changed(uri, "other content in its first %d bytes".formatted(numBytes));
      }
    }
    return count;
  }

  /** Reads stop where the beginning ends, so that its digest can be compared. */
  private long untilComparison() {
    long left = beginning.bytes() - numBytes;
    return left > 0 ? left : Long.MAX_VALUE;
  }

  @Override
  public long skip(long length) throws IOException {
    byte[] passed = new byte[(int) Math.min(length, 1 << 16)];
    return Math.max(0, read(passed, 0, passed.length));
  }

  @Override
  public boolean markSupported() {
    return false; // going back would count bytes twice
  }

  /** Reads whatever is left. */
  void drain() throws IOException {
    byte[] passed = new byte[1 << 16];
    while (read(passed, 0, passed.length) >= 0) {
      // the bytes count, their content does not
    }
  }

  /** How much was read so far. */
  long numBytes() {
    return numBytes;
  }

  /** The digest of all that was read so far. */
  String sha256() {
    return Sha256.soFar(digest);
  }

  /** Whether all of the known beginning was read, and was as before. */
  boolean isPastBeginning() {
    return numBytes >= beginning.bytes();
  }

  /** An input is not what it was when it was read before. */
  static DataFormatException changed(String uri, String found) {
    return new DataFormatException(
        uri,
        "the file that the preparation began with",
        found,
        "put that file back, or remove what was prepared so far to start over");
  }
}
