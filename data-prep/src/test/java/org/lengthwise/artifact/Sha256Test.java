package org.lengthwise.artifact;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Sha256Test {

  /** The checksum of "abc" from the standard, FIPS 180-4. */
  private static final String ABC =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  private static final byte[] CONTENT = "abc".getBytes(US_ASCII);

  @Test
  void bytesFilesAndPiecesHaveTheSameChecksum(@TempDir Path scratch) throws IOException {
    assertThat(Sha256.of(CONTENT)).isEqualTo(ABC);
    assertThat(Sha256.of(Files.write(scratch.resolve("abc"), CONTENT))).isEqualTo(ABC);
    MessageDigest digest = Sha256.newDigest();
    for (byte piece : CONTENT) {
      digest.update(piece);
    }
    assertThat(Sha256.hex(digest)).isEqualTo(ABC);
  }

  @Test
  void theChecksumCoversAFileLargerThanTheBuffer(@TempDir Path scratch) throws IOException {
    byte[] large = new byte[(1 << 21) + 1];
    large[large.length - 1] = 1;
    assertThat(Sha256.of(Files.write(scratch.resolve("large"), large))).isEqualTo(Sha256.of(large));
  }
}
