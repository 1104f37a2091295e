package org.lengthwise.dataprep.mapreduce;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.function.LongPredicate;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Tells which documents of a unit repeat an earlier text, when asked in the order of reading. Their
 * ordinals are read from a file as eight bytes each, ascending, so memory holds one.
 */
final class UnitRepeats implements LongPredicate, Closeable {

  private final DataInputStream in;
  private long numUnread;
  private long next;

  private UnitRepeats(InputStream in, long count) throws IOException {
    this.in = new DataInputStream(new BufferedInputStream(in));
    numUnread = count;
    next = read();
  }

  /** Opens a unit's file; without one, nothing repeats. */
  static UnitRepeats read(FileSystem fileSystem, Path file) throws IOException {
    try {
      long count = fileSystem.getFileStatus(file).getLen() / Long.BYTES;
      return new UnitRepeats(fileSystem.open(file), count);
    } catch (FileNotFoundException e) {
      return new UnitRepeats(InputStream.nullInputStream(), 0);
    }
  }

  @Override
  public boolean test(long ordinal) {
    if (ordinal != next) {
      return false;
    }
    try {
      next = read();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return true;
  }

  /** The next ordinal, or -1 at the end. */
  private long read() throws IOException {
    if (numUnread == 0) {
      return -1;
    }
    numUnread--;
    return in.readLong();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
