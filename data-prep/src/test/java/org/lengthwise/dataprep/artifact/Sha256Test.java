package org.lengthwise.dataprep.artifact;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Sha256Test {

  /** The digest of "abc" that the standard itself works out, FIPS 180-4. */
  private static final String ABC =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  private static final byte[] CONTENT = "abc".getBytes(US_ASCII);

  @Test
  void bytesAFileAndPiecesHaveTheSameDigest(@TempDir Path scratch) throws IOException {
    assertThat(Sha256.of(CONTENT)).isEqualTo(ABC);
    assertThat(Sha256.of(Files.write(scratch.resolve("abc"), CONTENT))).isEqualTo(ABC);
    MessageDigest digest = Sha256.newDigest();
    for (byte piece : CONTENT) {
      digest.update(piece);
    }
    assertThat(Sha256.hex(digest)).isEqualTo(ABC);
  }

  @Test
  void aFileLargerThanTheBufferIsDigestedWhole(@TempDir Path scratch) throws IOException {
    byte[] large = new byte[(1 << 21) + 1];
    large[large.length - 1] = 1;
    assertThat(Sha256.of(Files.write(scratch.resolve("large"), large))).isEqualTo(Sha256.of(large));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "abc", ABC + "0"})
  void whatIsNoDigestIsRefusedByName(String value) {
    assertThatCode(() -> Sha256.require("data_sha256", ABC)).doesNotThrowAnyException();
    assertThatThrownBy(() -> Sha256.require("data_sha256", value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("data_sha256 must be 64 hexadecimal digits")
        .hasMessageEndingWith("found " + value);
  }
}
