package org.lengthwise.dataprep.tokenizer;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.lengthwise.artifact.Sha256;

@TestInstance(Lifecycle.PER_CLASS)
class Gpt2TokenizerTest {

  /** The texts of the golden checksum; {@link Gpt2TokenizerIT} compares them with the engine. */
  static final long GOLDEN_SEED = 1;

  private final Gpt2Tokenizer tokenizer = new Gpt2Tokenizer();

  @Test
  void knownTextsHaveTheKnownIdsOfGpt2() {
    assertThat(tokenizer.encode("Hello world")).containsExactly(15496, 995);
    assertThat(tokenizer.encode("hello world!\n")).containsExactly(31373, 995, 0, 198);
  }

  @Test
  void theIdentityIsTheChecksumOfRanksAndCharacterClasses() {
    assertThat(Sha256.of(Gpt2Tokenizer.ranks()))
        .isEqualTo("306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930");
    assertThat(tokenizer.sha256())
        .isEqualTo("a2a7b185da967e5c68a21ccb9371132754db702eae9f24bf2adc816c0be577ea");
  }

  /** The golden value is valid for the identity above, on every JDK. */
  @Test
  void aTextHasTheSameIdsOnEveryJdk() {
    MessageDigest digest = Sha256.newDigest();
    for (String text : DiverseText.samples(GOLDEN_SEED)) {
      digest.update(Arrays.toString(tokenizer.encode(text)).getBytes(US_ASCII));
    }
    assertThat(Sha256.hex(digest))
        .isEqualTo("cba69d92ebefe73f77beecf87a4859b8a571782a4105f5dbfba8e3c876ab87ff");
  }

  @Test
  void agreesWithAnotherImplementationOnRunsOfAnyLength() {
    Encoding other = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.R50K_BASE);
    Random random = new Random(DiverseText.SEED);
    for (int length = 1; length < 600; length++) {
      String run = runOf(random, 1 + random.nextInt(26), length);
      assertThat(tokenizer.encode(run))
          .as("seed %d, %s", DiverseText.SEED, run)
          .isEqualTo(other.encodeOrdinary(run).toArray());
    }
  }

  /** Random letters from the beginning of the alphabet. A small alphabet gives long merges. */
  private static String runOf(Random random, int numLetters, int length) {
    StringBuilder run = new StringBuilder();
    for (int i = 0; i < length; i++) {
      run.append("etaoinshrdlucmfwypvbgkjqxz".charAt(random.nextInt(numLetters)));
    }
    return run.toString();
  }

  @Test
  void theCharactersOfEndOfTextAreEncodedAsCharacters() {
    int[] ids = tokenizer.encode("a<|endoftext|>b");
    assertThat(ids).doesNotContain(tokenizer.endOfText());
    assertThat(tokenizer.decode(ids)).isEqualTo("a<|endoftext|>b");
  }

  @Test
  void decodingRestoresTheTextWithoutEndOfText() {
    for (String text : DiverseText.samples(DiverseText.SEED)) {
      assertThat(tokenizer.decode(tokenizer.encode(text)))
          .as("seed %d", DiverseText.SEED)
          .isEqualTo(text);
    }
    assertThat(tokenizer.decode(new int[] {50256, 15496, 50256, 995})).isEqualTo("Hello world");
  }

  @Test
  void theBytesOfTheIdsAreThoseOfTheText() {
    for (String text : DiverseText.samples(DiverseText.SEED)) {
      assertThat(Arrays.stream(tokenizer.encode(text)).map(tokenizer::numBytes).sum())
          .as("seed %d", DiverseText.SEED)
          .isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
    }
    assertThat(tokenizer.numBytes(50256)).isZero();
  }

  @Test
  void incompleteCharactersDecodeToTheReplacementCharacter() {
    int[] ids = tokenizer.encode("\u0871");
    assertThat(ids).hasSizeGreaterThan(1);
    assertThat(tokenizer.decode(Arrays.copyOf(ids, 1))).isEqualTo("\uFFFD");
  }

  @Test
  void idsOutsideTheVocabularyAreRejected() {
    assertThatThrownBy(() -> tokenizer.decode(new int[] {50257}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("50257");
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
