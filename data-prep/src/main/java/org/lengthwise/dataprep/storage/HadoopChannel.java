package org.lengthwise.dataprep.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import org.apache.hadoop.fs.FSDataInputStream;

/** A file of a Hadoop file system as a read-only channel. */
final class HadoopChannel implements SeekableByteChannel {

  private static final int BUFFER_BYTES = 1 << 16;

  private final FSDataInputStream in;
  private final long size;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private long position;
  private boolean open = true;

  HadoopChannel(FSDataInputStream in, long size) {
    this.in = in;
    this.size = size;
  }

  @Override
  public int read(ByteBuffer destination) throws IOException {
    if (position >= size) {
      return -1;
    }
    if (in.getPos() != position) {
      in.seek(position);
    }
    int all = 0;
    // Readers of archives take a short read for the end. Object stores have short reads.
    while (position < size && destination.hasRemaining()) {
      int count = in.read(buffer, 0, Math.min(destination.remaining(), BUFFER_BYTES));
      if (count < 0) {
        break;
      }
      destination.put(buffer, 0, count);
      position += count;
      all += count;
    }
    return all == 0 && destination.hasRemaining() ? -1 : all;
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public SeekableByteChannel position(long newPosition) {
    position = newPosition;
    return this;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() throws IOException {
    open = false;
    in.close();
  }

  @Override
  public int write(ByteBuffer source) {
    throw new NonWritableChannelException();
  }

  @Override
  public SeekableByteChannel truncate(long newSize) {
    throw new NonWritableChannelException();
  }
}
