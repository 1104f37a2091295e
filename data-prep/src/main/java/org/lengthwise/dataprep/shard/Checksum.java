package org.lengthwise.dataprep.shard;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.regex.Pattern;

/** SHA-256 as the manifest spells it. */
final class Checksum {
  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

  private Checksum() {}

  static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  static void requireSha256(String sha256) {
    if (!SHA256.matcher(sha256).matches()) {
      throw new IllegalArgumentException(
          "sha256 must be 64 hexadecimal digits in lower case, found " + sha256);
    }
  }
}
