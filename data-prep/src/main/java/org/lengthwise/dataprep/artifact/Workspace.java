package org.lengthwise.dataprep.artifact;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where an artifact grows over several attempts: its content, and beside it what an attempt notes
 * for the next one.
 *
 * @param folder the temporary folder that holds both
 */
public record Workspace(Path folder) {

  /**
   * The folder that becomes the artifact.
   *
   * @return a folder that exists while a writer is at work
   */
  public Path content() {
    return folder.resolve("content");
  }

  /**
   * What the next attempt needs and the artifact does not.
   *
   * @return a folder that exists while a writer is at work
   */
  public Path notes() {
    return folder.resolve("notes");
  }

  /**
   * The note that says how far the writer is. Only what a writer with this note leaves is kept for
   * the next attempt.
   *
   * @return a file among the notes, for the writer to write
   */
  public Path progress() {
    return notes().resolve("progress.json");
  }

  /**
   * Forgets what earlier attempts left, content and notes.
   *
   * @throws IOException if it cannot be deleted
   */
  public void clear() throws IOException {
    // Notes first: content without notes is cleared again, notes without content would mislead.
    Durable.deleteTree(notes());
    Durable.deleteTree(folder);
    prepare();
  }

  /** Makes the two folders where they are missing. */
  void prepare() throws IOException {
    Files.createDirectories(content());
    Files.createDirectories(notes());
  }

  boolean isWorthKeeping() {
    return Files.isRegularFile(progress());
  }
}
