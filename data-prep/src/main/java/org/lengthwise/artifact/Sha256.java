package org.lengthwise.artifact;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 as 64 lower-case hexadecimal digits, as in every artifact. */
public final class Sha256 {

  private static final int BUFFER_BYTES = 1 << 20;

  private Sha256() {}

  public static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  /** {@return the checksum of a digest's bytes in hexadecimal} The digest is reset. */
  public static String hex(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }

  /** {@return the checksum of the bytes so far in hexadecimal, without ending the digest} */
  public static String soFar(MessageDigest digest) {
    try {
      return hex((MessageDigest) digest.clone());
    } catch (CloneNotSupportedException e) {
      throw new AssertionError("the SHA-256 of Java can be cloned", e);
    }
  }

  public static String of(byte[] content) {
    return HexFormat.of().formatHex(newDigest().digest(content));
  }

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
}
