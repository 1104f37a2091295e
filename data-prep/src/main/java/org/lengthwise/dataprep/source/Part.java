package org.lengthwise.dataprep.source;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarFile;
import org.lengthwise.config.Checks;
import org.lengthwise.dataprep.source.ParquetColumn.RowGroup;
import org.lengthwise.error.DataFormatException;

/**
 * A part of a corpus that can be read alone: a file, one entry of a tar that is not compressed, or
 * consecutive row groups of a Parquet file.
 *
 * @param uri the input file, as the user named it
 * @param name the end of {@code uri}, which does not depend on where the corpus is stored
 * @param offset the offset of the entry's content in the tar, after its header, or of the text
 *     column of the first row group; 0 for a file
 * @param bytes the length of the entry's content, of the text columns of the row groups, or of the
 *     file
 * @param isLink whether it is an entry that has no content, whatever its name says
 */
public record Part(
    String uri, String name, String member, long offset, long bytes, boolean isLink) {

  private static final int TAR_BLOCK = FileKind.TAR_BLOCK;

  public Part {
    Checks.atLeast("offset", offset, 0);
    Checks.atLeast("bytes", bytes, 0);
  }

  static Part of(InputFile file) {
    return new Part(file.uri(), file.name(), "", 0, file.bytes(), false);
  }

  /**
   * {@return whether this is a whole file} An entry begins after its header, and a row group after
   * the magic number, so their offsets are never 0.
   */
  public boolean coversFile() {
    return offset == 0;
  }

  /**
   * Divides a Parquet file, whose footer is read, between row groups. Only a part of one row group
   * may have more bytes than {@code mostBytes}.
   */
  static List<Part> rowGroupsOf(InputFile file, long mostBytes) {
    try (SeekableByteChannel channel = file.openChannel(true);
        ParquetColumn column =
            ParquetColumn.open(file, channel, Channels.newInputStream(channel))) {
      List<Part> parts = new ArrayList<>();
      long offset = 0;
      long bytes = 0;
      for (RowGroup group : column.rowGroups()) {
        if (bytes > 0 && bytes + group.bytes() > mostBytes) {
          parts.add(new Part(file.uri(), file.name(), "", offset, bytes, false));
          bytes = 0;
        }
        offset = bytes == 0 ? group.offset() : offset;
        bytes += group.bytes();
      }
      if (parts.isEmpty()) {
        return List.of(of(file));
      }
      parts.add(new Part(file.uri(), file.name(), "", offset, bytes, false));
      return parts;
    } catch (IOException e) {
      throw damaged(file, e);
    }
  }

  List<RowGroup> rowGroups(ParquetColumn column) throws IOException {
    if (coversFile()) {
      return column.rowGroups();
    }
    List<RowGroup> found = new ArrayList<>();
    long left = bytes;
    for (RowGroup group : column.rowGroups()) {
      if (left > 0 && (!found.isEmpty() || group.offset() == offset)) {
        found.add(group);
        left -= group.bytes();
      }
    }
    if (left != 0) {
      throw new IOException("other row groups than before: the file has changed");
    }
    return found;
  }

  /**
   * Finds the entries of a tar by reading only their headers, in the order of {@link
   * DocumentReader}.
   *
   * @return empty if an entry is sparse, so that its content is not one range of bytes
   */
  static Optional<List<Part>> entriesOf(InputFile tar) {
    try (SeekableByteChannel channel = tar.storage().openChannel(tar.uri());
        TarFile index = new TarFile(channel, TAR_BLOCK, TAR_BLOCK, "UTF-8", false)) {
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
                          entry.getSize(),
                          entry.isLink() || entry.isSymbolicLink()))
              .toList());
    } catch (IOException e) {
      throw damaged(tar, e);
    }
  }

  static DataFormatException damaged(InputFile file, IOException e) {
    UnsupportedFormatException unsupported = UnsupportedFormatException.in(e);
    if (unsupported != null) {
      return unsupported.of(file.uri());
    }
    return new DataFormatException(
        file.uri(),
        "a whole and undamaged file",
        String.valueOf(e.getMessage()),
        "compare its length and checksum with the original's and get it again",
        e);
  }

  private static void requireSound(List<TarArchiveEntry> entries) throws IOException {
    for (TarArchiveEntry entry : entries) {
      if (!entry.isCheckSumOK()) {
        throw new IOException(
            entry.getName() + ": an entry's header whose checksum is not the one stored in it");
      }
    }
  }

  /**
   * Requires a block of zeros after the last entry, and nothing else. A tar that was truncated
   * between entries has none.
   */
  private static void requireEnd(SeekableByteChannel channel, List<TarArchiveEntry> entries)
      throws IOException {
    long end = 0;
    if (!entries.isEmpty()) {
      TarArchiveEntry last = entries.get(entries.size() - 1);
      end = (last.getDataOffset() + last.getSize() + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK;
    }
    ByteBuffer block = ByteBuffer.allocate(TAR_BLOCK);
    channel.position(end);
    while (block.hasRemaining() && channel.read(block) >= 0) {
      // reads until the block is full or the file ends
    }
    if (block.hasRemaining() || !block.flip().equals(ByteBuffer.allocate(TAR_BLOCK))) {
      throw new EOFException("the archive ends without the zero blocks that close a tar");
    }
    ByteBuffer rest = ByteBuffer.allocate(1 << 16);
    while (channel.read(rest) >= 0) {
      rest.flip();
      if (!rest.equals(ByteBuffer.allocate(rest.remaining()))) {
        throw ArchiveTail.secondTar();
      }
      rest.clear();
    }
  }
}
