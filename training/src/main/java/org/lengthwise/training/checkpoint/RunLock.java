package org.lengthwise.training.checkpoint;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.lengthwise.dataprep.ConfigException;

/**
 * The right to write into a run's folder, which one process has at a time.
 *
 * <p>The operating system gives a lock back when its process ends, however that happens, so the
 * file {@code .lock} by itself claims nothing; it stays there, for another process may be waiting
 * at it.
 */
public final class RunLock implements AutoCloseable {
  static final String FILE = ".lock";

  private final RunFolder folder;
  private final FileChannel channel;

  private RunLock(RunFolder folder, FileChannel channel) {
    this.folder = folder;
    this.channel = channel;
  }

  /**
   * Takes the right, for as long as the result is open.
   *
   * @param run a run's path, made if it is not there
   * @return the lock
   * @throws ConfigException if another process has it, or the folder cannot be written
   */
  public static RunLock of(Path run) {
    try {
      Files.createDirectories(run);
      FileChannel channel =
          FileChannel.open(run.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (isLocked(channel)) {
        return new RunLock(new RunFolder(run), channel);
      }
      channel.close();
    } catch (IOException e) {
      throw new ConfigException(
          run.toString(),
          "a folder that files can be written into",
          e.toString(),
          "name another folder, or see to it that this one can be written",
          e);
    }
    throw new ConfigException(
        run.toString(),
        "a folder that nobody else trains in",
        "another process trains here",
        "wait for that process to end, or name another folder");
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false; // held by this very process
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * The folder that may be written now.
   *
   * @return the run's folder
   */
  public RunFolder folder() {
    return folder;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
