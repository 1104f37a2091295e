package org.lengthwise.artifact;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.stream.Stream;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DiskFullException;

/** A folder of files that is either complete or absent. */
public final class ArtifactFolder {
  /** The name of the empty file that marks an artifact as complete. */
  public static final String DONE = "DONE";

  @FunctionalInterface
  public interface FolderWriter {
    /** Writes all files into an empty folder, which is renamed afterwards. */
    void write(Path temporary) throws IOException;
  }

  /** Writes the files that earlier attempts have not written. */
  @FunctionalInterface
  public interface ResumableWriter {
    void write(Workspace workspace) throws IOException;
  }

  @FunctionalInterface
  public interface Publication {
    /** Moves or copies the complete content, with its marker, so that it appears complete. */
    void publish(Workspace workspace) throws IOException;
  }

  private ArtifactFolder() {}

  /** {@return whether an artifact is complete: its folder holds the marker {@code DONE}} */
  public static boolean isDone(Path folder) {
    return Files.isRegularFile(folder.resolve(DONE));
  }

  /**
   * Writes an artifact into a temporary folder and renames that folder when it is complete.
   *
   * <p>If the writer fails, the temporary folder is deleted. If the process is killed or the
   * machine fails, the files stay in {@code .NAME.partial} until the next attempt deletes them.
   *
   * @throws ConfigException if the folder is not empty, or another process is writing it
   */
  public static void create(Path folder, FolderWriter writer) throws IOException {
    Path target = folder.toAbsolutePath().normalize();
    try (PartialFolder partial = PartialFolder.claim(target)) {
      requireFree(target);
      Path temporary = partial.create();
      writer.write(temporary);
      Files.createFile(temporary.resolve(DONE));
      Durable.forceTree(temporary);
      Files.deleteIfExists(target);
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw DiskFullException.in(e, target).orElse(e);
    }
    Durable.forceFolder(Durable.parentOf(target));
  }

  /**
   * Writes an artifact in one or more attempts, and renames its folder when it is complete.
   *
   * <p>If the writer fails or the process is killed, the files stay in {@code .NAME.partial} for
   * the next attempt, provided that the writer has stored its {@linkplain Workspace#progress()
   * progress}.
   *
   * @throws ConfigException if the folder is not empty, or another process is writing it
   */
  public static void createResumably(Path folder, ResumableWriter writer) throws IOException {
    Path target = folder.toAbsolutePath().normalize();
    createResumably(
        target,
        writer,
        workspace -> {
          Files.deleteIfExists(target);
          Files.move(workspace.content(), target, StandardCopyOption.ATOMIC_MOVE);
          Durable.forceFolder(Durable.parentOf(target));
        });
  }

  /**
   * Writes an artifact in one or more attempts on the local disk, and publishes it elsewhere.
   *
   * @param folder a local path; {@code .NAME.partial} next to it holds the files until they are
   *     published
   * @param publication moves the complete folder to its final place
   */
  public static void createResumably(Path folder, ResumableWriter writer, Publication publication)
      throws IOException {
    Path target = folder.toAbsolutePath().normalize();
    try (PartialFolder partial = PartialFolder.claim(target)) {
      requireFree(target);
      Workspace workspace = new Workspace(partial.open());
      boolean published = false;
      try {
        workspace.prepare();
        writer.write(workspace);
        Files.write(workspace.content().resolve(DONE), new byte[0]);
        Durable.forceTree(workspace.content());
        publication.publish(workspace);
        published = true;
      } finally {
        if (!published && workspace.isWorthKeeping()) {
          partial.keep();
        }
      }
    } catch (IOException e) {
      throw DiskFullException.in(e, target).orElse(e);
    }
  }

  /**
   * Deletes an artifact. The folder is renamed first, so an interrupted deletion never leaves a
   * folder that looks complete.
   */
  public static void delete(Path folder) throws IOException {
    Path target = folder.toAbsolutePath().normalize();
    Path temporary = Durable.partial(target);
    Durable.deleteTree(temporary);
    Files.move(target, temporary, StandardCopyOption.ATOMIC_MOVE);
    Durable.deleteTree(temporary);
  }

  /**
   * Deletes temporary folders and lock files of killed processes, whose artifacts' names begin with
   * a prefix. The caller must know that no process writes these artifacts.
   */
  public static void removeRemains(Path parent, String prefix) throws IOException {
    try (Stream<Path> entries = Files.list(parent)) {
      for (Path entry : entries.toList()) {
        String name = entry.getFileName().toString();
        if (name.startsWith("." + prefix)
            && (name.endsWith(".partial") || name.endsWith(".lock"))) {
          Durable.deleteTree(entry);
        }
      }
    }
  }

  /** Requires that an artifact can be created, as {@link #create} does, before long work. */
  public static void requireFree(Path folder) throws IOException {
    Path target = folder.toAbsolutePath().normalize();
    if (isDone(target)) {
      throw new ConfigException(
          target.toString(),
          "a folder that does not exist",
          "a finished artifact",
          "name another folder, or delete this one first");
    }
    if (!Files.exists(target)) {
      return;
    }
    if (!Files.isDirectory(target)) {
      throw new ConfigException(
          target.toString(), "a folder", "a file", "name another path, or delete this file first");
    }
    try (Stream<Path> content = Files.list(target)) {
      Optional<Path> other = content.sorted().findFirst();
      if (other.isPresent()) {
        throw new ConfigException(
            target.toString(),
            "a folder that is absent or empty",
            "other files, such as " + other.get().getFileName(),
            "name another folder");
      }
    }
  }

  /**
   * The hidden folder next to an artifact in which the artifact grows. Only the process that has
   * locked {@code .NAME.lock} uses the folder. Closing deletes the folder and the lock file, unless
   * the folder was moved away or is kept.
   */
  private static final class PartialFolder implements Closeable {

    private final Path folder;
    private final Path lockFile;
    private final LockFile lock;
    private boolean kept;

    private PartialFolder(Path folder, Path lockFile, LockFile lock) {
      this.folder = folder;
      this.lockFile = lockFile;
      this.lock = lock;
    }

    static PartialFolder claim(Path target) throws IOException {
      Files.createDirectories(Durable.parentOf(target));
      Path lockFile = target.resolveSibling("." + target.getFileName() + ".lock");
      Optional<LockFile> lock = LockFile.tryLock(lockFile);
      // If the file does not exist, its last owner deleted it after we opened it and before we
      // locked it.
      if (lock.isPresent() && Files.exists(lockFile)) {
        return new PartialFolder(Durable.partial(target), lockFile, lock.get());
      }
      if (lock.isPresent()) {
        lock.get().close();
      }
      throw new ConfigException(
          target.toString(),
          "a folder that no other process writes",
          "another process is writing it",
          "wait for that process to end, or name another folder");
    }

    Path create() throws IOException {
      Durable.deleteTree(folder);
      return Files.createDirectory(folder);
    }

    Path open() throws IOException {
      return Files.createDirectories(folder);
    }

    void keep() {
      kept = true;
    }

    @Override
    public void close() throws IOException {
      try (lock) {
        if (!kept) {
          Durable.deleteTree(folder);
        }
        Files.deleteIfExists(lockFile); // still locked: another process cannot have it yet
      }
    }
  }
}
