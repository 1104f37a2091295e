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

  /** The next numbers, which are read again later; fewer at the end of the stream. */
  long[] buffered(IdType type, int most) throws IOException {
    readAhead(most * type.bytes());
    ByteBuffer ahead = buffer.duplicate().order(buffer.order());
    long[] numbers = new long[Math.min(most, ahead.remaining() / type.bytes())];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = type.read(ahead);
    }
    return numbers;
  }

  private void fill(int least) throws IOException {
    readAhead(least);
    if (buffer.remaining() < least) {
      throw new EOFException("the file ends within a number");
    }
  }

  private void readAhead(int least) throws IOException {
    buffer.compact();
    int count = 0;
    while (buffer.position() < least && count >= 0) {
      count = in.read(buffer.array(), buffer.position(), buffer.remaining());
      buffer.position(buffer.position() + Math.max(0, count));
    }
    buffer.flip();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
