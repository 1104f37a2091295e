package org.lengthwise.dataprep.prepare;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;
import org.lengthwise.artifact.AppendedFile;
import org.lengthwise.artifact.AppendedFile.Prefix;

/** The keys of all texts so far, in memory and in a file, from which a later attempt reads them. */
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

  static Optional<SeenTexts> resume(Path notes, Prefix prefix) throws IOException {
    Optional<AppendedFile> log = AppendedFile.resume(notes.resolve(NAME), prefix);
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

  /** Adds a text's key; false if the key was added before. */
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

  Prefix sync() throws IOException {
    write();
    return log.sync();
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
