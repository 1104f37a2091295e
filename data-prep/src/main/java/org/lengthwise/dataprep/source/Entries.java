package org.lengthwise.dataprep.source;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Iterator;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveInputStream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/** The entries of an archive, in order. A file that is not an archive is one entry. */
sealed interface Entries extends Closeable {

  sealed interface Entry {}

  /**
   * An entry that is a stream, readable until the next entry is read; without a name in a file that
   * is not an archive.
   *
   * @param isLink whether it has no content, whatever its name says
   */
  record Member(String name, boolean isFile, boolean isLink, InputStream content) implements Entry {
    FileKind kind() {
      return FileKind.ofEntry(isLink ? "" : name);
    }
  }

  /** An entry that is not a stream, such as a row group. */
  record Documents(EntryReader reader) implements Entry {}

  /** The next entry; null at the end. */
  @Nullable Entry next() throws IOException;

  /** One entry, such as a file that is not an archive. */
  final class Single implements Entries {

    private final InputStream content;
    private @Nullable Entry next;

    Single(String name, InputStream content) {
      this(new Member(name, true, false, content));
    }

    Single(Member only) {
      content = only.content();
      next = only;
    }

    @Override
    public @Nullable Entry next() {
      Entry only = next;
      next = null;
      return only;
    }

    @Override
    public void close() throws IOException {
      content.close();
    }
  }

  /** The documents of one reader, as one entry; none if there is no reader. */
  final class Whole implements Entries {

    private final @Nullable EntryReader reader;
    private boolean returned;

    Whole(@Nullable EntryReader reader) {
      this.reader = reader;
    }

    @Override
    public @Nullable Entry next() {
      boolean first = !returned;
      returned = true;
      return first && reader != null ? new Documents(reader) : null;
    }

    @Override
    public void close() throws IOException {
      if (reader != null) {
        reader.close();
      }
    }
  }

  /** The row groups of a Parquet file, each an entry. */
  final class RowGroups implements Entries {

    private final ParquetColumn column;
    private final Iterator<ParquetColumn.RowGroup> groups;
    private final int documentByteLimit;

    RowGroups(ParquetColumn column, List<ParquetColumn.RowGroup> groups, int documentByteLimit) {
      this.column = column;
      this.groups = groups.iterator();
      this.documentByteLimit = documentByteLimit;
    }

    @Override
    public @Nullable Entry next() throws IOException {
      return groups.hasNext() ? new Documents(column.read(groups.next(), documentByteLimit)) : null;
    }

    @Override
    public void close() throws IOException {
      column.close();
    }
  }

  /** The entries of a tar. Each header's checksum is compared. */
  final class Tar implements Entries {

    private static final Logger LOG = LogManager.getLogger(Tar.class);

    private final DocumentOrigin origin;
    private final ArchiveTail tail;
    private final TarArchiveInputStream tar;

    Tar(DocumentOrigin origin, InputStream in) {
      this.origin = origin;
      tail = new ArchiveTail(in);
      tar = new TarArchiveInputStream(tail, FileKind.TAR_BLOCK, FileKind.TAR_BLOCK, "UTF-8");
    }

    @Override
    public @Nullable Member next() throws IOException {
      TarArchiveEntry entry = LibraryStream.guarded(tar::getNextEntry);
      if (entry == null) {
        tail.requireTarEnd();
        return null;
      }
      if (!entry.isCheckSumOK()) {
        throw new IOException(
            entry.getName() + ": an entry's header whose checksum is not the one stored in it");
      }
      boolean isLink = entry.isLink() || entry.isSymbolicLink();
      if (isLink) {
        LOG.warn(
            "{}: skipped the link {} to {}, whose text is read under its own name only",
            origin,
            entry.getName(),
            entry.getLinkName());
      }
      return new Member(entry.getName(), entry.isFile(), isLink, new LibraryStream(tar));
    }

    @Override
    public void close() throws IOException {
      tar.close();
    }
  }

  /** The entries of a zip or jar. Each entry's checksum is compared. */
  final class Zip implements Entries {

    private final ArchiveTail tail;
    private final ZipArchiveInputStream zip;
    private CheckedInputStream content;
    private @Nullable ZipArchiveEntry entry;

    Zip(InputStream in) {
      tail = new ArchiveTail(in);
      zip = new ZipArchiveInputStream(tail, "UTF-8", true, true);
      content = new CheckedInputStream(new LibraryStream(zip), new CRC32());
    }

    @Override
    public @Nullable Entry next() throws IOException {
      ZipArchiveEntry next = advance();
      if (next == null) {
        tail.transferTo(OutputStream.nullOutputStream());
        tail.requireZipEnd();
        return null;
      }
      if (!zip.canReadEntryData(next)) {
        throw new UnsupportedFormatException(
            next.getName() + ", an entry that is encrypted or packed by an unknown method",
            "unpack the archive, and pack it again with deflate and without a password");
      }
      return new Member(next.getName(), !next.isDirectory(), false, content);
    }

    /** Reads the rest of the current entry, compares its checksum, and moves to the next one. */
    private @Nullable ZipArchiveEntry advance() throws IOException {
      content.transferTo(OutputStream.nullOutputStream());
      ZipArchiveEntry next = LibraryStream.guarded(zip::getNextEntry);
      // The checksum may follow the content, so it is known only after the next header was read.
      if (entry != null
          && entry.getCrc() >= 0
          && entry.getCrc() != content.getChecksum().getValue()) {
        throw new IOException(
            entry.getName() + ": content whose checksum is not the one stored with it");
      }
      entry = next;
      content = new CheckedInputStream(new LibraryStream(zip), new CRC32());
      return next;
    }

    @Override
    public void close() throws IOException {
      zip.close();
    }
  }
}
