package org.lengthwise.dataprep.source;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;

/**
 * Unpacks the members of a gzip file, one after another. Zero bytes may follow the last member:
 * tape drives and some programs fill up blocks with them.
 */
final class GzipMembers extends ForwardStream {

  private static final int FIRST_MAGIC = 0x1F;

  private final BufferedInputStream packed;
  private InputStream member;

  private GzipMembers(BufferedInputStream packed) throws IOException {
    super(packed);
    this.packed = packed;
    member = member();
  }

  static GzipMembers of(InputStream packed) throws IOException {
    return new GzipMembers(new BufferedInputStream(packed, 1 << 16));
  }

  @Override
  public int read(byte[] destination, int offset, int length) throws IOException {
    int count = member.read(destination, offset, length);
    while (count < 0 && hasMember()) {
      member = member();
      count = member.read(destination, offset, length);
    }
    return count;
  }

  /** The member that begins here; its reader takes no byte of the next one. */
  private InputStream member() throws IOException {
    return GzipCompressorInputStream.builder()
        .setInputStream(new EntryReader.Unclosed(packed))
        .get();
  }

  private boolean hasMember() throws IOException {
    int next = 0;
    while (next == 0) {
      packed.mark(1);
      next = packed.read();
    }
    if (next < 0) {
      return false;
    }
    packed.reset();
    if (next != FIRST_MAGIC) {
      throw new IOException(
          "the byte " + next + " after the last gzip member, where only zero bytes may follow");
    }
    return true;
  }
}
