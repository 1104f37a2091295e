package org.lengthwise.artifact;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.Optional;
import org.lengthwise.config.Checks;

/**
 * A file that only grows. Its length and checksum are known without reading the file again. The
 * file can be truncated to an earlier length.
 */
public final class AppendedFile implements WritableByteChannel {

  private static final int BUFFER_BYTES = 1 << 20;

  /** The first bytes of a file: how many, and their SHA-256 in hexadecimal. */
  public record Prefix(long bytes, String sha256) {

    public Prefix {
      Checks.sha256("sha256", sha256);
      Checks.atLeast("bytes", bytes, 0);
    }
  }

  private final FileChannel file;
  private final MessageDigest digest = Sha256.newDigest();
  private long numBytes;

  private AppendedFile(FileChannel file) {
    this.file = file;
  }

  /** {@return an empty file, created and open} */
  public static AppendedFile create(Path path) throws IOException {
    return new AppendedFile(
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
  }

  /**
   * Opens an existing file and truncates it to an earlier content.
   *
   * @return the file, open for appending; empty if it does not begin with that content, in which
   *     case it is unchanged
   */
  public static Optional<AppendedFile> resume(Path path, Prefix prefix) throws IOException {
    FileChannel channel;
    try {
      channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    AppendedFile file = new AppendedFile(channel);
    boolean unchanged = false;
    try {
      unchanged = file.digestUpTo(prefix.bytes()) && file.sha256().equals(prefix.sha256());
      if (unchanged) {
        channel.truncate(prefix.bytes());
      }
    } finally {
      if (!unchanged) {
        channel.close();
      }
    }
    return unchanged ? Optional.of(file) : Optional.empty();
  }

  /** Computes the checksum of the first bytes of the file; false if the file has fewer bytes. */
  private boolean digestUpTo(long bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    while (numBytes < bytes) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), bytes - numBytes));
      int count = file.read(buffer);
      if (count < 0) {
        return false;
      }
      digest.update(buffer.flip());
      numBytes += count;
    }
    return true;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    int count = source.remaining();
    digest.update(source.duplicate());
    while (source.hasRemaining()) {
      file.write(source);
    }
    numBytes += count;
    return count;
  }

  public long numBytes() {
    return numBytes;
  }

  /** {@return the SHA-256 of the content so far, in 64 lower-case hexadecimal digits} */
  public String sha256() {
    return Sha256.soFar(digest);
  }

  /**
   * Forces the content to the disk.
   *
   * @return the content so far, for {@link #resume}
   */
  public Prefix sync() throws IOException {
    file.force(false);
    return new Prefix(numBytes, sha256());
  }

  @Override
  public boolean isOpen() {
    return file.isOpen();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
