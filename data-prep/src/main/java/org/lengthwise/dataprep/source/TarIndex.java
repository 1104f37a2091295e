package org.lengthwise.dataprep.source;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.List;
import java.util.Optional;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarFile;
import org.lengthwise.dataprep.DataFormatException;

/** Finds the entries of a tar by reading their headers alone. */
final class TarIndex {

  private static final int BLOCK = 512;

  private TarIndex() {}

  /**
   * The entries that {@link DocumentReader} would read, in its order.
   *
   * @param tar a tar that is not compressed
   * @return empty if an entry is stored with holes, so that it cannot be read where it lies
   */
  static Optional<List<Part>> entries(InputFile tar) {
    try (SeekableByteChannel channel = tar.storage().openChannel(tar.uri());
        TarFile index = new TarFile(channel, BLOCK, BLOCK, "UTF-8", false)) {
      List<TarArchiveEntry> entries = index.getEntries();
      requireSound(entries);
      requireEnd(channel, entries);
      if (entries.stream().anyMatch(TarArchiveEntry::isSparse)) {
        return Optional.empty();
      }
      return Optional.of(
          entries.stream()
              .filter(TarArchiveEntry::isFile)
              .map(
                  entry ->
                      new Part(
                          tar.uri(),
                          tar.name(),
                          entry.getName(),
                          entry.getDataOffset(),
                          entry.getSize()))
              .toList());
    } catch (IOException e) {
      throw new DataFormatException(
          tar.uri(),
          "a whole and undamaged file",
          String.valueOf(e.getMessage()),
          "compare its length and checksum with the original's and get it again",
          e);
    }
  }

  private static void requireSound(List<TarArchiveEntry> entries) throws IOException {
    for (TarArchiveEntry entry : entries) {
      if (!entry.isCheckSumOK()) {
        throw new IOException(
            entry.getName() + ": an entry's header whose checksum is not the one stored in it");
      }
    }
  }

  /** Fails unless a block of zeros follows the last entry: a tar cut between entries has none. */
  private static void requireEnd(SeekableByteChannel channel, List<TarArchiveEntry> entries)
      throws IOException {
    long end = 0;
    if (!entries.isEmpty()) {
      TarArchiveEntry last = entries.get(entries.size() - 1);
      end = (last.getDataOffset() + last.getSize() + BLOCK - 1) / BLOCK * BLOCK;
    }
    ByteBuffer block = ByteBuffer.allocate(BLOCK);
    channel.position(end);
    while (block.hasRemaining() && channel.read(block) >= 0) {
      // reads on until the block is full or the file ends
    }
    if (block.hasRemaining() || !block.flip().equals(ByteBuffer.allocate(BLOCK))) {
      throw new EOFException("the archive ends without the zero blocks that close a tar");
    }
  }
}
