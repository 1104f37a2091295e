package org.lengthwise.dataprep.artifact;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** SHA-256 as every artifact spells it: 64 hexadecimal digits in lower case. */
public final class Sha256 {

  private static final Pattern SPELLING = Pattern.compile("[0-9a-f]{64}");
  private static final int BUFFER_BYTES = 1 << 20;

  private Sha256() {}

  /**
   * Starts a digest, for content that comes in pieces or of which the bits are wanted.
   *
   * @return a digest of nothing yet
   */
  public static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  /**
   * Ends a digest.
   *
   * @param digest what was started with {@link #newDigest()}; it is reset
   * @return the digest of all that was put in, in hexadecimal
   */
  public static String hex(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }

  /**
   * Reads a digest off without ending it.
   *
   * @param digest what was started with {@link #newDigest()}; more can be put in afterwards
   * @return the digest of all that was put in so far, in hexadecimal
   */
  public static String soFar(MessageDigest digest) {
    try {
      return hex((MessageDigest) digest.clone());
    } catch (CloneNotSupportedException e) {
      throw new AssertionError("Java's own SHA-256 can be copied", e);
    }
  }

  /**
   * Digests bytes.
   *
   * @param content the bytes
   * @return their digest in hexadecimal
   */
  public static String of(byte[] content) {
    return HexFormat.of().formatHex(newDigest().digest(content));
  }

  /**
   * Digests a file, of which no more than a buffer is held at a time.
   *
   * @param file the file
   * @return the digest of its content in hexadecimal
   * @throws IOException if it cannot be read
   */
  public static String of(Path file) throws IOException {
    MessageDigest digest = newDigest();
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = Files.newInputStream(file)) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        digest.update(buffer, 0, count);
      }
    }
    return hex(digest);
  }

  /**
   * Checks the spelling of a digest.
   *
   * @param name what the value is called
   * @param value what should be a digest in hexadecimal
   * @throws IllegalArgumentException if it is not
   */
  public static void require(String name, String value) {
    if (!SPELLING.matcher(value).matches()) {
      throw new IllegalArgumentException(
          name + " must be 64 hexadecimal digits in lower case, found " + value);
    }
  }
}
