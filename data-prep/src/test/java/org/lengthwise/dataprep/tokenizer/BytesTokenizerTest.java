package org.lengthwise.dataprep.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class BytesTokenizerTest {

  private final BytesTokenizer tokenizer = new BytesTokenizer();

  @Test
  void idsAreTheBytesOfUtf8() {
    assertThat(tokenizer.encode("Aé€😀"))
        .containsExactly(0x41, 0xC3, 0xA9, 0xE2, 0x82, 0xAC, 0xF0, 0x9F, 0x98, 0x80);
  }

  @Test
  void decodingRestoresTheTextWithoutEndOfText() {
    assertThat(tokenizer.decode(tokenizer.encode("naïve 😀\u0000\n")))
        .isEqualTo("naïve 😀\u0000\n");
    assertThat(tokenizer.decode(new int[] {72, 256, 105, 256})).isEqualTo("Hi");
  }

  @Test
  void endOfTextIsTheLastOf257Ids() {
    assertThat(tokenizer.vocabularySize()).isEqualTo(257);
    assertThat(tokenizer.endOfText()).isEqualTo(256);
  }

  @Test
  void everyIdIsOneByteButEndOfText() {
    assertThat(tokenizer.numBytes(0)).isEqualTo(1);
    assertThat(tokenizer.numBytes(255)).isEqualTo(1);
    assertThat(tokenizer.numBytes(256)).isZero();
    assertThatThrownBy(() -> tokenizer.numBytes(257)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void theIdentityIsFixed() {
    assertThat(tokenizer.sha256())
        .isEqualTo("89391aa11dbcfc4e64a4385243891ac0d4401ae0db3bffe12c060266c20903a2");
  }

  @Test
  void idsOutsideTheVocabularyAreRejected() {
    assertThatThrownBy(() -> tokenizer.decode(new int[] {257}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("257");
  }
}
