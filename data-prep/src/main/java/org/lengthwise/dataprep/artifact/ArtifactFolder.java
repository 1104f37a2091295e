package org.lengthwise.dataprep.artifact;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;
import org.lengthwise.dataprep.ConfigException;

/** A folder of files that belong together, finished as a whole or not at all. */
public final class ArtifactFolder {
  private static final String DONE = "DONE";

  /** Fills a folder. */
  @FunctionalInterface
  public interface FolderWriter {
    /**
     * Writes all files of the artifact.
     *
     * @param temporary the empty folder to write into, renamed afterwards
     * @throws IOException when a file cannot be written
     */
    void write(Path temporary) throws IOException;
  }

  /** Fills a folder in one attempt or several, of which each goes on where the last one stopped. */
  @FunctionalInterface
  public interface ResumableWriter {
    /**
     * Writes all files of the artifact that earlier attempts have not written.
     *
     * @param workspace what earlier attempts left, if there were any
     * @throws IOException when a file cannot be written
     */
    void write(Workspace workspace) throws IOException;
  }

  /** Brings a complete folder to the place where readers look for it. */
  @FunctionalInterface
  public interface Publication {
    /**
     * Moves or copies the folder there, at once and whole.
     *
     * @param workspace holds the complete content, its marker included
     * @throws IOException when that fails
     */
    void publish(Workspace workspace) throws IOException;
  }

  private ArtifactFolder() {}

  /**
   * Whether an artifact is complete.
   *
   * @param folder the artifact's folder, which need not exist
   * @return whether it holds the marker that is written last
   */
  public static boolean isDone(Path folder) {
    return Files.isRegularFile(folder.resolve(DONE));
  }

  /**
   * Writes an artifact beside its place and moves it there when it is complete.
   *
   * <p>When the writer fails, the folder does not appear and nothing of it stays. When the process
   * is killed, or the machine fails, what was written stays in {@code .NAME.partial} until the next
   * attempt removes it.
   *
   * @param folder where the artifact shall lie; absent, or empty
   * @param writer what writes its files
   * @throws IOException when a file cannot be written
   * @throws ConfigException when the folder already holds an artifact or anything else, or another
   *     process is writing it
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
    }
    Durable.forceFolder(Durable.parentOf(target));
  }

  /**
   * Writes an artifact that takes long, beside its place, and moves it there when it is complete.
   *
   * <p>When the writer fails, or the process is killed, what it wrote stays in {@code
   * .NAME.partial} if it noted its {@linkplain Workspace#progress() progress} there, and the next
   * attempt finds it.
   *
   * @param folder where the artifact shall lie; absent, or empty
   * @param writer what writes its files
   * @throws IOException when a file cannot be written
   * @throws ConfigException when the folder already holds an artifact or anything else, or another
   *     process is writing it
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
   * Writes an artifact that takes long, beside a local place, and publishes it elsewhere.
   *
   * @param folder the place; {@code .NAME.partial} beside it holds what is written until it is
   *     published
   * @param writer what writes the artifact's files
   * @param publication what brings them where they belong
   * @throws IOException when a file cannot be written, or the whole not be published
   * @throws ConfigException when there is something in the place, or another process is writing
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
    }
  }

  /**
   * Deletes an artifact. It is moved aside first, so that a deletion cut short leaves nothing that
   * looks finished.
   *
   * @param folder the artifact's folder
   * @throws IOException when it cannot be deleted
   */
  public static void delete(Path folder) throws IOException {
    Path target = folder.toAbsolutePath().normalize();
    Path temporary = Durable.partial(target);
    Durable.deleteTree(temporary);
    Files.move(target, temporary, StandardCopyOption.ATOMIC_MOVE);
    Durable.deleteTree(temporary);
  }

  /**
   * Removes what attempts that were killed left of artifacts: what they had written or were
   * deleting, and their claims. Only for a caller who knows that nobody else writes there.
   *
   * @param parent the folder that the artifacts lie in
   * @param prefix how the artifacts' names begin
   * @throws IOException when something cannot be removed
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

  private static void requireFree(Path target) throws IOException {
    if (isDone(target)) {
      throw new ConfigException(
          target.toString(),
          "a folder that is not there yet",
          "a finished one",
          "name another folder, or remove this one first");
    }
    if (!Files.exists(target)) {
      return;
    }
    if (!Files.isDirectory(target)) {
      throw new ConfigException(
          target.toString(), "a folder", "a file", "name another path, or remove this file first");
    }
    try (Stream<Path> content = Files.list(target)) {
      if (content.findAny().isPresent()) {
        throw new ConfigException(
            target.toString(),
            "a folder that is absent or empty",
            "files that are not a finished artifact",
            "name another folder, or remove this one first");
      }
    }
  }
}
