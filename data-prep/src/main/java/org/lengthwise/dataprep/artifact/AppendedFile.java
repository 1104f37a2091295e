package org.lengthwise.dataprep.artifact;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.Optional;

/**
 * A file that only grows, knows its length and checksum without being read again, and can be cut
 * back to where it once was.
 */
public final class AppendedFile implements WritableByteChannel {

  private static final int BUFFER_BYTES = 1 << 20;

  /**
   * Where a file once was: what it held then.
   *
   * @param bytes how many bytes it held
   * @param sha256 their digest in hexadecimal
   */
  public record Mark(long bytes, String sha256) {

    /** Checks the values. */
    public Mark {
      Sha256.require("sha256", sha256);
      if (bytes < 0) {
        throw new IllegalArgumentException("bytes must not be negative, found " + bytes);
      }
    }
  }

  private final FileChannel file;
  private final MessageDigest digest = Sha256.newDigest();
  private long numBytes;

  private AppendedFile(FileChannel file) {
    this.file = file;
  }

  /**
   * Starts a file.
   *
   * @param path where it shall lie; nothing may be there
   * @return the empty file, open
   * @throws IOException if it cannot be made
   */
  public static AppendedFile create(Path path) throws IOException {
    return new AppendedFile(
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
  }

  /**
   * Opens a file as it once was: what was appended after the mark is cut off, what was there before
   * is read and compared.
   *
   * @param path the file
   * @param mark where it was
   * @return the file, open at the mark; empty if it does not hold what it held then, in which case
   *     nothing of it was changed
   * @throws IOException if it cannot be read or cut
   */
  public static Optional<AppendedFile> cutBack(Path path, Mark mark) throws IOException {
    FileChannel channel;
    try {
      channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    AppendedFile file = new AppendedFile(channel);
    boolean asItWas = false;
    try {
      asItWas = file.digestUpTo(mark.bytes()) && file.sha256().equals(mark.sha256());
      if (asItWas) {
        channel.truncate(mark.bytes());
      }
    } finally {
      if (!asItWas) {
        channel.close();
      }
    }
    return asItWas ? Optional.of(file) : Optional.empty();
  }

  /** Takes up to so many bytes of the file as appended; false if it has fewer. */
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

  /**
   * The file's length.
   *
   * @return a number of bytes
   */
  public long numBytes() {
    return numBytes;
  }

  /**
   * The digest of all that the file holds so far.
   *
   * @return 64 hexadecimal digits in lower case
   */
  public String sha256() {
    return Sha256.soFar(digest);
  }

  /**
   * Notes where the file is, after what it holds has reached the disk.
   *
   * @return the place to which it can be cut back
   * @throws IOException if the disk does not take it
   */
  public Mark mark() throws IOException {
    file.force(false);
    return new Mark(numBytes, sha256());
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
