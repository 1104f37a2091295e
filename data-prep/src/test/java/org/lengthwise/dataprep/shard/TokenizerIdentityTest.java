package org.lengthwise.dataprep.shard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.lengthwise.config.ConfigLoader;

class TokenizerIdentityTest {
  private static final TokenizerIdentity FILE =
      new TokenizerIdentity("tokenizer.json", "0123456789ab" + "c".repeat(52), 7, 6);

  @Test
  void onlyAModelWithoutATokenizerHasAnUnknownOne() {
    assertThat(TokenizerIdentity.unknown(7).isKnown()).isFalse();
    assertThat(FILE.isKnown()).isTrue();
  }

  @Test
  void twoFilesOfOneNameHaveDifferentDescriptions() {
    assertThat(FILE.description()).isEqualTo("tokenizer.json 0123456789ab");
    assertThat(new TokenizerIdentity("gpt2", "a".repeat(64), 7, 6).description()).isEqualTo("gpt2");
  }

  @Test
  void manifestsKeepItsFourComponents() throws IOException {
    ObjectMapper mapper = ConfigLoader.strictMapper();
    String json = mapper.writeValueAsString(FILE);
    assertThat(mapper.readTree(json)).hasSize(4);
    assertThat(mapper.readValue(json, TokenizerIdentity.class)).isEqualTo(FILE);
  }
}
