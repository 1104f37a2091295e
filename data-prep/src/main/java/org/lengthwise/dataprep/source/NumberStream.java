package org.lengthwise.dataprep.source;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Little-endian integers of a stream, which this closes. */
final class NumberStream implements Closeable {

  private final InputStream in;
  private final ByteBuffer buffer =
      ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN).limit(0);

  NumberStream(InputStream in) {
    this.in = in;
  }

  long next(IdType type) throws IOException {
    if (buffer.remaining() < type.bytes()) {
      fill(type.bytes());
    }
    return type.read(buffer);
  }

  private void fill(int least) throws IOException {
    buffer.compact();
    while (buffer.position() < least) {
      int count = in.read(buffer.array(), buffer.position(), buffer.remaining());
      if (count < 0) {
        throw new EOFException("the file ends within a number");
      }
      buffer.position(buffer.position() + count);
    }
    buffer.flip();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
