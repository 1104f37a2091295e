package org.lengthwise.artifact;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.lengthwise.error.DiskFullException;

/** Writes a file under a temporary name, forces it to the disk, then renames it. */
public final class AtomicFile {

  @FunctionalInterface
  public interface ContentWriter {
    /** Writes all of the content. The stream may stay open. */
    void write(OutputStream out) throws IOException;
  }

  private AtomicFile() {}

  /**
   * Writes or replaces a file; missing parent folders are created. A reader sees either the old
   * content or all of the new, also if the writer fails.
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
    } catch (IOException e) {
      throw DiskFullException.in(e, target).orElse(e);
    } finally {
      Files.deleteIfExists(temporary);
    }
    Durable.forceFolder(parent);
  }
}
