package org.lengthwise.dataprep.source;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.function.LongConsumer;
import org.lengthwise.dataprep.artifact.Sha256;

/** Counts and digests what is read of an input, and tells a listener how far it is. */
final class DigestingInputStream extends FilterInputStream {

  private final MessageDigest digest = Sha256.newDigest();
  private final LongConsumer listener;
  private long numBytes;

  DigestingInputStream(InputStream in, LongConsumer listener) {
    super(in);
    this.listener = listener;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] destination, int offset, int length) throws IOException {
    int count = super.read(destination, offset, length);
    if (count > 0) {
      digest.update(destination, offset, count);
      numBytes += count;
      listener.accept(numBytes);
    }
    return count;
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

  /** The digest of all that was read; call it once, at the end. */
  String sha256() {
    return Sha256.hex(digest);
  }
}
