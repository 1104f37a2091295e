package org.lengthwise.dataprep.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class Gpt2TokenizerTest {

  private final Gpt2Tokenizer tokenizer = new Gpt2Tokenizer();

  @Test
  void givesTheIdsThatGpt2IsKnownFor() {
    assertThat(tokenizer.encode("Hello world")).containsExactly(15496, 995);
    assertThat(tokenizer.encode("hello world!\n")).containsExactly(31373, 995, 0, 198);
  }

  @Test
  void itsIdentityIsTheDigestOfThePublishedRanks() {
    assertThat(tokenizer.sha256())
        .isEqualTo("306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930");
  }

  @Test
  void textThatSpellsEndOfTextIsNotEndOfText() {
    int[] ids = tokenizer.encode("a<|endoftext|>b");
    assertThat(ids).doesNotContain(tokenizer.endOfText());
    assertThat(tokenizer.decode(ids)).isEqualTo("a<|endoftext|>b");
  }

  @Test
  void decodingGivesTheTextBackAndLeavesEndOfTextOut() {
    for (String text : DiverseText.samples(7)) {
      assertThat(tokenizer.decode(tokenizer.encode(text))).isEqualTo(text);
    }
    assertThat(tokenizer.decode(new int[] {50256, 15496, 50256, 995})).isEqualTo("Hello world");
  }

  @Test
  void everyIdIsBelowTheVocabularySize() {
    assertThat(tokenizer.vocabularySize()).isEqualTo(50257);
    for (String text : DiverseText.samples(8)) {
      assertThat(Arrays.stream(tokenizer.encode(text)).boxed())
          .allMatch(id -> id >= 0 && id < 50256);
    }
  }
}
