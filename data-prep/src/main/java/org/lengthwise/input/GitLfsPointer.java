package org.lengthwise.input;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.lengthwise.error.DataFormatException;

/**
 * The small text that a Git repository holds in place of a large file, until {@code git lfs pull}
 * fetches the file (<a
 * href="https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md">format</a>).
 */
public final class GitLfsPointer {
  /** Every pointer has fewer bytes: more first bytes of a file than these need not be read. */
  public static final int LENGTH_LIMIT = 1024;

  private static final String PATTERN = "(?s)version https://git-lfs\\.github\\.com/spec/v1\\R.*";

  private GitLfsPointer() {}

  /** {@return whether a file is a pointer} */
  public static boolean matches(byte[] start) {
    return start.length < LENGTH_LIMIT && new String(start, US_ASCII).matches(PATTERN);
  }

  /**
   * Refuses a pointer.
   *
   * @throws DataFormatException if they are a pointer
   */
  public static void refuse(String where, byte[] start) {
    if (matches(start)) {
      throw new DataFormatException(
          where,
          "the content of the file",
          "a Git LFS pointer in its place",
          "run `git lfs pull` in the repository of the file, or download the file itself");
    }
  }

  public static void refuse(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      refuse(file.toString(), in.readNBytes(LENGTH_LIMIT));
    }
  }
}
