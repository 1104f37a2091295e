package org.lengthwise.dataprep.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class SafeCutsTest {

  private static final String GPT2 =
      "'pre_tokenizer': {'type': 'ByteLevel', 'add_prefix_space': false, 'trim_offsets': true}";
  private static final String BYTES =
      "{'type': 'ByteLevel', 'add_prefix_space': false, 'use_regex': false}";

  @Test
  void aCutIsBetweenAnAsciiLetterAndASpaceOrLineFeed() {
    assertThat(SafeCuts.atOrAfter(0, "one two")).isEqualTo(3);
    assertThat(SafeCuts.atOrAfter(3, "one two\nthree")).isEqualTo(3);
    assertThat(SafeCuts.atOrAfter(4, "one two\nthree")).isEqualTo(7);
    assertThat(SafeCuts.atOrAfter(0, " 1 . é \tx\t")).as("no cut").isEqualTo(10);
    assertThat(SafeCuts.atOrAfter(0, "")).isZero();
  }

  @Test
  void textsOfTokenizersLikeGpt2MayBeCut() {
    assertThat(allowed(GPT2)).isTrue();
    assertThat(allowed(GPT2 + ", 'normalizer': null, 'added_tokens': []")).isTrue();
    assertThat(allowed(GPT2 + ", 'normalizer': {'type': 'NFC'}")).isTrue();
  }

  @Test
  void cutsAreForbiddenIfTheTokenizerMayLookAcross() {
    assertThat(allowed(GPT2 + ", 'normalizer': {'type': 'Replace'}")).isFalse();
    assertThat(allowed(GPT2 + ", 'added_tokens': [{'content': 'a b'}]")).isFalse();
    assertThat(allowed(GPT2.replace("'add_prefix_space': false", "'add_prefix_space': true")))
        .isFalse();
    assertThat(allowed("'pre_tokenizer': " + BYTES)).isFalse();
    assertThat(allowed("'pre_tokenizer': {'type': 'Metaspace'}")).isFalse();
    assertThat(allowed("'pre_tokenizer': null")).isFalse();
    assertThat(allowed("'model': {}")).isFalse();
  }

  @Test
  void cutsAreForbiddenForUnknownPatterns() {
    String known =
        "'s|'t|'re|'ve|'m|'ll|'d| ?\\\\p{L}+| ?\\\\p{N}+| ?[^\\\\s\\\\p{L}\\\\p{N}]+|\\\\s+(?!\\\\S)|\\\\s+";
    assertThat(splitBy(known, "Isolated")).isTrue();
    assertThat(splitBy(known, "Removed")).isFalse();
    assertThat(splitBy("[a-z]+ [a-z]+", "Isolated")).isFalse();
  }

  private static boolean splitBy(String pattern, String behavior) {
    String split =
        "{'type': 'Split', 'invert': false, 'behavior': '%s', 'pattern': {'Regex': \"%s\"}}"
            .formatted(behavior, pattern);
    return allowed(
        "'pre_tokenizer': {'type': 'Sequence', 'pretokenizers': [" + split + ", " + BYTES + "]}");
  }

  /** JSON with single quotes, which are easier to read in Java strings. */
  private static boolean allowed(String content) {
    try {
      ObjectMapper mapper = new ObjectMapper();
      mapper.enable(JsonParser.Feature.ALLOW_SINGLE_QUOTES);
      return SafeCuts.allowedBy(mapper.readTree("{" + content + "}"));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
