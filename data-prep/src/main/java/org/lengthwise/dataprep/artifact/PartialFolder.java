package org.lengthwise.dataprep.artifact;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.lengthwise.dataprep.ConfigException;

/**
 * The temporary sibling in which an artifact grows, held by one process at a time.
 *
 * <p>It is claimed by locking the file {@code .NAME.lock} beside it. The operating system gives a
 * lock back when its process ends, however that happens, so a lock file that was left behind claims
 * nothing. Closing deletes the temporary folder, unless it was moved away or is to be kept, and the
 * lock file.
 */
final class PartialFolder implements Closeable {

  private final Path folder;
  private final Path lockFile;
  private final FileChannel lockChannel;
  private boolean kept;

  private PartialFolder(Path folder, Path lockFile, FileChannel lockChannel) {
    this.folder = folder;
    this.lockFile = lockFile;
    this.lockChannel = lockChannel;
  }

  /** Claims the right to write an artifact, for as long as the result is open. */
  static PartialFolder claim(Path target) throws IOException {
    Files.createDirectories(Durable.parentOf(target));
    Path lockFile = target.resolveSibling("." + target.getFileName() + ".lock");
    FileChannel channel =
        FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      // A holder that ended between the opening and the locking has taken the file with it.
      if (!lock(channel) || !Files.exists(lockFile)) {
        throw new ConfigException(
            target.toString(),
            "a folder that nobody else writes",
            "another process is writing it",
            "wait for that process to end, or name another folder");
      }
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
    return new PartialFolder(Durable.partial(target), lockFile, channel);
  }

  /** Makes the temporary folder, without what an earlier process left in it. */
  Path create() throws IOException {
    Durable.deleteTree(folder);
    return Files.createDirectory(folder);
  }

  /** Opens the temporary folder with whatever an earlier attempt left in it. */
  Path open() throws IOException {
    return Files.createDirectories(folder);
  }

  /** Lets the temporary folder stay for a later attempt. */
  void keep() {
    kept = true;
  }

  @Override
  public void close() throws IOException {
    try (lockChannel) {
      if (!kept) {
        Durable.deleteTree(folder);
      }
      Files.deleteIfExists(lockFile); // while it is still locked, or it might be the next one's
    }
  }

  private static boolean lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false; // held by this very process
    }
  }
}
