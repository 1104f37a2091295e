package org.lengthwise.artifact;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The hidden folder in which an artifact grows over several attempts: its content, and the notes of
 * one attempt for the next.
 */
public record Workspace(Path folder) {

  /** {@return the folder that becomes the artifact; it exists while a writer runs} */
  public Path content() {
    return folder.resolve("content");
  }

  /**
   * {@return the folder of files that the next attempt needs and the artifact does not; it exists
   * while a writer runs}
   */
  public Path notes() {
    return folder.resolve("notes");
  }

  /**
   * {@return the file in {@link #notes()} with the progress of the writer} The writer makes it. The
   * workspace is kept for the next attempt only if this file exists.
   */
  public Path progress() {
    return notes().resolve("progress.json");
  }

  public void clear() throws IOException {
    // Notes are deleted first. Content without notes is deleted by the next attempt, but notes
    // without content would be used.
    Durable.deleteTree(notes());
    Durable.deleteTree(folder);
    prepare();
  }

  void prepare() throws IOException {
    Files.createDirectories(content());
    Files.createDirectories(notes());
  }

  boolean isWorthKeeping() {
    return Files.isRegularFile(progress());
  }
}
