package org.lengthwise.dataprep.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextRecordTest {

  private final TextRecord record = new TextRecord("text");

  @Test
  void theTextIsFoundAmongOtherKeys() throws Exception {
    assertThat(record.textOf("{\"meta\":{\"text\":[1]},\"text\":\"a\\n\\u00e9\",\"n\":1.5e3}\r"))
        .isEqualTo("a\né");
  }

  @Test
  void aKeyMayBeThatOfAnObjectInside() throws Exception {
    TextRecord nested = new TextRecord("a.b");
    assertThat(nested.textOf("{\"b\":1,\"a\":{\"c\":[{}],\"b\":\"x\"},\"c\":{\"b\":\"y\"}}"))
        .isEqualTo("x");
    assertThat(nested.textOf("{\"a.b\":\"x\"}")).isEqualTo("x");
    assertThatThrownBy(() -> nested.textOf("{\"a\":\"x\",\"b\":\"y\"}"))
        .hasMessageContaining("expected a key \"a.b\", found \"a\", \"b\"");
  }

  @Test
  void aListOfTextsIsJoinedWithBlankLines() throws Exception {
    assertThat(record.textOf("{\"text\":[\"a\",\"b\",\"\"]}")).isEqualTo("a\n\nb\n\n");
    assertThat(record.textOf("{\"text\":[]}")).isEmpty();
  }

  @Test
  void aTextMayBeLongerThanTheParsersDefaultLimit() throws Exception {
    String text = "x".repeat(25_000_000);
    assertThat(record.textOf("{\"text\":\"" + text + "\"}").length()).isEqualTo(text.length());
  }

  @Test
  void whatIsNotReadMayHoldAnything() throws Exception {
    List<String> unread =
        List.of(
            "[".repeat(100_000) + "]".repeat(100_000),
            "{\"a\":".repeat(100_000) + "1" + "}".repeat(100_000),
            "9".repeat(5_000),
            "1e" + "9".repeat(1_100),
            "NaN",
            "[-Infinity, Infinity]",
            "{\"a\":1,\"a\":2}");
    for (String value : unread) {
      assertThat(record.textOf("{\"n\":" + value + ",\"text\":\"a\"}")).isEqualTo("a");
    }
    assertThat(record.textOf("{\"" + "k".repeat(60_000) + "\":1,\"text\":\"a\"}")).isEqualTo("a");
  }

  @Test
  void moreLevelsThanMemoryAllowsAreAReason() {
    String nested = "[".repeat(1_000_001);
    assertThatThrownBy(() -> record.textOf("{\"n\":" + nested))
        .isInstanceOf(TextRecord.MalformedException.class)
        .hasMessage("brackets within more than 1000000 others");
  }

  @Test
  void aControlCharacterIsNamedByItsCode() {
    assertThatThrownBy(() -> record.textOf("{\"text\":\"a\u0000\"}"))
        .hasMessage("malformed JSON at column 11: found an unescaped control character, code 0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"text\":\"a\"            | malformed JSON at column 12: found the end of the record",
        "{\"text\":\"a             | malformed JSON at column 11: found the end of the record",
        "{text:1}                  | malformed JSON at column 2: found text:1}",
        "{'text':'a'}              | malformed JSON at column 2: found 'text':'a'}",
        "{\"text\":\"a\",}          | malformed JSON at column 13: found }",
        "{\"text\":\"\\q\"}        | malformed JSON at column",
        "not json                  | malformed JSON at column 1: found not json",
        "[\"a\"]                   | expected a JSON object, found a list",
        "\"a\"                     | expected a JSON object, found a string",
        "{\"txt\":\"a\"}           | expected a key \"text\", found \"txt\"; --text-column",
        "{}                        | expected a key \"text\", found no key",
        "{\"text\":null}           | found null",
        "{\"text\":3}              | found a number",
        "{\"text\":{\"a\":1}}      | found an object",
        "{\"text\":[\"a\",1]}      | found a number",
        "{\"text\":\"a\"}{}        | found more after it",
        "{\"text\":\"a\",\"text\":\"b\"} | expected one key \"text\", found two",
      })
  void aLineThatIsNoRecordGetsAReason(String line, String reason) {
    assertThatThrownBy(() -> record.textOf(line))
        .isInstanceOf(TextRecord.MalformedException.class)
        .hasMessageContaining(reason);
  }
}
