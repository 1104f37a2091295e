package org.lengthwise.error;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A disk that is full or read-only, or whose quota is used up. The exit code is 2. */
public final class DiskFullException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Java has only the words of the operating system for these failures. */
  private static final Pattern WORDS =
      Pattern.compile(".*(No space left on device|Disk quota exceeded|Read-only file system)\\)?");

  private DiskFullException(Path path, String words, Throwable cause) {
    super(
        "%s: expected a disk with room to write, found \"%s\", and %s free now; free some space, then"
                .formatted(path, words, Count.bytes(free(path)))
            + " run the same command again (`train` with --resume): finished work is kept",
        cause);
  }

  /**
   * {@return the full disk that caused a failure, or empty if the failure has another cause}
   *
   * @param written what may have been written, if the failure does not name it
   */
  public static Optional<IOException> in(Throwable failure, Path... written) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof DiskFullException full) {
        return Optional.of(full);
      }
      Matcher words = WORDS.matcher(String.valueOf(cause.getMessage()));
      if (cause instanceof IOException && words.matches()) {
        Path path =
            cause instanceof FileSystemException file && file.getFile() != null
                ? Path.of(file.getFile())
                : Collections.min(List.of(written), Comparator.comparing(DiskFullException::free));
        return Optional.of(new DiskFullException(path, words.group(1), failure));
      }
    }
    return Optional.empty();
  }

  private static long free(Path path) {
    try {
      return Files.getFileStore(path).getUsableSpace();
    } catch (IOException e) { // not created yet
      Path parent = path.toAbsolutePath().getParent();
      return parent == null ? Long.MAX_VALUE : free(parent);
    }
  }
}
