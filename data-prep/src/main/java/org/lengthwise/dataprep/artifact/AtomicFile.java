package org.lengthwise.dataprep.artifact;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** A file written under a temporary name, forced to the disk, and only then given its own. */
public final class AtomicFile {

  /** Writes the content of a file. */
  @FunctionalInterface
  public interface ContentWriter {
    /**
     * Writes all of the content; the stream is closed by the caller.
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
      try (FileChannel channel =
              FileChannel.open(
                  temporary,
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE,
                  StandardOpenOption.TRUNCATE_EXISTING);
          OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel))) {
        writer.write(out);
        out.flush();
        channel.force(true);
      }
      Files.move(
          temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
    Durable.forceFolder(parent);
  }
}
