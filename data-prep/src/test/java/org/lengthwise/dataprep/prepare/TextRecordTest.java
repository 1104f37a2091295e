package org.lengthwise.dataprep.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
        .hasMessageContaining("expected a key \"a.b\", found none");
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"text\":\"a\"            | column",
        "{\"text\":\"a             | column",
        "{text:1}                  | column 2",
        "not json                  | column",
        "[\"a\"]                   | expected a JSON object, found start array",
        "\"a\"                     | expected a JSON object, found value string",
        "{\"txt\":\"a\"}           | expected a key \"text\", found none",
        "{}                        | expected a key \"text\", found none",
        "{\"text\":null}           | found value null",
        "{\"text\":3}              | found value number int",
        "{\"text\":{\"a\":1}}      | found start object",
        "{\"text\":[\"a\",1]}      | found value number int",
        "{\"text\":\"a\"}{}        | found more after it",
        "{\"text\":\"a\",\"text\":\"b\"} | Duplicate",
      })
  void aLineThatIsNoRecordGetsAReason(String line, String reason) {
    assertThatThrownBy(() -> record.textOf(line))
        .isInstanceOf(TextRecord.MalformedException.class)
        .hasMessageContaining(reason);
  }
}
