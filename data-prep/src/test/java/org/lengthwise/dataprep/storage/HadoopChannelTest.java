package org.lengthwise.dataprep.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.PositionedReadable;
import org.apache.hadoop.fs.Seekable;
import org.junit.jupiter.api.Test;

class HadoopChannelTest {
  /** A stream of an object store, whose reads end where a network buffer does. */
  private static final class ShortReads extends ByteArrayInputStream
      implements Seekable, PositionedReadable {
    ShortReads(byte[] content) {
      super(content);
    }

    @Override
    public synchronized int read(byte[] destination, int offset, int length) {
      return super.read(destination, offset, Math.min(length, 3));
    }

    @Override
    public void seek(long position) {
      pos = (int) position;
    }

    @Override
    public long getPos() {
      return pos;
    }

    @Override
    public boolean seekToNewSource(long position) {
      return false;
    }

    @Override
    public int read(long position, byte[] destination, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void readFully(long position, byte[] destination, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void readFully(long position, byte[] destination) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void aReadIsShortAtTheEndOnly() throws IOException {
    byte[] content = {1, 2, 3, 4, 5, 6, 7, 8};
    try (HadoopChannel channel =
        new HadoopChannel(new FSDataInputStream(new ShortReads(content)), content.length)) {
      ByteBuffer five = ByteBuffer.allocate(5);
      assertThat(channel.read(five)).isEqualTo(5);
      assertThat(five.array()).containsExactly(1, 2, 3, 4, 5);
      assertThat(channel.read(five.clear())).isEqualTo(3);
      assertThat(channel.read(five.clear())).isEqualTo(-1);
    }
  }
}
