package org.lengthwise.dataprep.source;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that sees each byte once, and in one method: {@link #read(byte[], int, int)}. */
abstract class ForwardStream extends FilterInputStream {
  private static final int MOST_SKIPPED = 1 << 16;

  ForwardStream(InputStream in) {
    super(in);
  }

  @Override
  public abstract int read(byte[] destination, int offset, int length) throws IOException;

  @Override
  public final int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public final long skip(long length) throws IOException {
    byte[] skipped = new byte[(int) Math.min(length, MOST_SKIPPED)];
    return Math.max(0, read(skipped, 0, skipped.length));
  }

  @Override
  public final boolean markSupported() {
    return false;
  }
}
