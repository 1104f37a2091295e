package org.lengthwise.dataprep.artifact;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A file written under a temporary name, forced to the disk, and only then given its own. */
public final class AtomicFile {

  /** Writes the content of a file. */
  @FunctionalInterface
  public interface ContentWriter {
    /**
     * Writes all of the content; closing the stream is allowed but not needed.
     *
     * @param out where to write, buffered
     * @throws IOException when the content cannot be written
     */
    void write(OutputStream out) throws IOException;
  }

  private AtomicFile() {}

  /**
   * Writes a file, or replaces it, so that a reader sees the old content or all of the new.
   *
   * <p>When the writer fails, the file is as it was before and the temporary one is gone.
   *
   * @param file the file to write; missing parent folders are created
   * @param writer what writes its content
   * @throws IOException when the content or the file cannot be written
   */
  public static void write(Path file, ContentWriter writer) throws IOException {
    Path target = file.toAbsolutePath().normalize();
    Path parent = Durable.parentOf(target);
    Files.createDirectories(parent);
    Path temporary = Durable.partial(target);
    try {
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(temporary))) {
        writer.write(out);
      }
      Durable.forceFile(temporary);
      Files.move(
          temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
    Durable.forceFolder(parent);
  }
}
