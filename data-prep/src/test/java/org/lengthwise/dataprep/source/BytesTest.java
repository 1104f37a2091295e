package org.lengthwise.dataprep.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lengthwise.dataprep.source.Packed.utf8;

import org.junit.jupiter.api.Test;

class BytesTest {

  @Test
  void aReplacementCharacterThatTheTextContainsIsKept() {
    assertThat(new Bytes(utf8("é\uFFFD😀")).text()).isEqualTo("é\uFFFD😀");
    assertThat(new Bytes(utf8("é\uFFFD😀")).firstInvalid()).isEqualTo(-1);
  }

  @Test
  void bytesThatAreNotUtf8AreNoTextAndTheFirstOneIsFound() {
    byte[] latin1 = utf8("x".repeat(20_000) + "e");
    latin1[20_000] = (byte) 0xE9;
    assertThat(new Bytes(latin1).text()).isNull();
    assertThat(new Bytes(latin1).firstInvalid()).isEqualTo(20_000);
  }

  @Test
  void encodedSurrogatesAndOverlongFormsAreNotUtf8() {
    assertThat(new Bytes(new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80}).text()).isNull();
    assertThat(new Bytes(new byte[] {(byte) 0xC0, (byte) 0x80}).text()).isNull();
  }

  @Test
  void textOfAnotherEncodingDoesNotLookBinary() {
    assertThat(new Bytes(new byte[] {'a', (byte) 0xE9}).looksBinary()).isFalse();
  }

  @Test
  void aZeroByteInTheFirst8KiBLooksBinary() {
    assertThat(new Bytes(utf8("PK\u0000x")).looksBinary()).isTrue();
    assertThat(new Bytes(utf8("x".repeat(8191) + "\u0000")).looksBinary()).isTrue();
    assertThat(new Bytes(utf8("x".repeat(8192) + "\u0000")).looksBinary()).isFalse();
    assertThat(new Bytes(utf8("plain")).looksBinary()).isFalse();
  }
}
