package org.lengthwise.artifact;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * A file that one process at a time has locked. The operating system releases the lock when the
 * process ends, even if it is killed.
 */
public final class LockFile implements Closeable {
  private final FileChannel channel;

  private LockFile(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Locks a file until the result is closed. Closing does not delete the file.
   *
   * @return the lock; empty if another process, or this one, has locked the file
   */
  public static Optional<LockFile> tryLock(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean locked = false;
    try {
      locked = channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      locked = false; // this process has the lock
    } finally {
      if (!locked) {
        channel.close();
      }
    }
    return locked ? Optional.of(new LockFile(channel)) : Optional.empty();
  }

  /**
   * Waits until no other process has locked a file, and locks it until the result is closed.
   * Threads of one process must exclude each other by other means.
   */
  public static LockFile lock(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean locked = false;
    try {
      locked = channel.lock().isValid();
    } finally {
      if (!locked) {
        channel.close();
      }
    }
    return new LockFile(channel);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
