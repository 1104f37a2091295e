package org.lengthwise.dataprep.prepare;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;
import org.lengthwise.dataprep.artifact.AppendedFile;
import org.lengthwise.dataprep.artifact.AppendedFile.Mark;

/**
 * The keys of all texts so far: in memory, and in a file from which a later attempt learns them.
 */
final class SeenTexts implements Closeable {

  private static final String NAME = "keys";
  private static final int BUFFERED_KEYS = 1 << 12;

  private final KeyTable table = new KeyTable();
  private final AppendedFile log;
  private final ByteBuffer unwritten = ByteBuffer.allocate(BUFFERED_KEYS * TextKey.BYTES);

  private SeenTexts(AppendedFile log) {
    this.log = log;
  }

  static SeenTexts create(Path notes) throws IOException {
    return new SeenTexts(AppendedFile.create(notes.resolve(NAME)));
  }

  /** The keys as they were at a mark; empty if the file is not what it was. */
  static Optional<SeenTexts> takeUp(Path notes, Mark mark) throws IOException {
    Optional<AppendedFile> log = AppendedFile.cutBack(notes.resolve(NAME), mark);
    if (log.isEmpty()) {
      return Optional.empty();
    }
    SeenTexts seen = new SeenTexts(log.get());
    try (FileChannel written = FileChannel.open(notes.resolve(NAME))) {
      ByteBuffer keys = ByteBuffer.allocate(BUFFERED_KEYS * TextKey.BYTES);
      while (written.read(keys) >= 0) {
        keys.flip();
        while (keys.remaining() >= TextKey.BYTES) {
          seen.table.add(new TextKey(keys.getLong(), keys.getLong()));
        }
        keys.compact();
      }
    }
    return Optional.of(seen);
  }

  /** Adds a text's key; false if an equal text came before. */
  boolean add(TextKey key) throws IOException {
    if (!table.add(key)) {
      return false;
    }
    unwritten.putLong(key.high()).putLong(key.low());
    if (!unwritten.hasRemaining()) {
      write();
    }
    return true;
  }

  Mark mark() throws IOException {
    write();
    return log.mark();
  }

  private void write() throws IOException {
    log.write(unwritten.flip());
    unwritten.clear();
  }

  @Override
  public void close() throws IOException {
    log.close();
  }
}
