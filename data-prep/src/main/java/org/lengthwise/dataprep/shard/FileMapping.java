package org.lengthwise.dataprep.shard;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.apache.arrow.memory.ForeignAllocation;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * A file's bytes as memory that Arrow may point into.
 *
 * <p>Releasing it ends Arrow's accounting; the pages themselves are unmapped by the garbage
 * collector once this object is unreachable. A read that runs into a close on another thread
 * therefore never touches an address that is gone.
 */
final class FileMapping extends ForeignAllocation {
  private final MappedByteBuffer bytes;

  private FileMapping(MappedByteBuffer bytes) {
    super(bytes.capacity(), MemoryUtil.getByteBufferAddress(bytes));
    this.bytes = bytes;
  }

  static FileMapping of(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      return new FileMapping(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()));
    }
  }

  MappedByteBuffer bytes() {
    return bytes;
  }

  @Override
  protected void release0() {}
}
