package org.lengthwise.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.error.ConfigException;

class LengthsTest {
  @Test
  void rangesAndNumbersAreSortedAndDistinct() {
    assertThat(Lengths.of(List.of("500", "41..44", 42)).values())
        .containsExactly(41, 42, 43, 44, 500);
    assertThat(Lengths.of(List.of("41..500")).values()).hasSize(460);
  }

  @Test
  void aRangeMayHaveAStep() {
    assertThat(Lengths.of(List.of("41..500:9")).values())
        .hasSize(52)
        .startsWith(41, 50, 59)
        .endsWith(491, 500);
    assertThat(Lengths.of(List.of("41..49:9")).values()).containsExactly(41);
  }

  @Test
  void multiplesAreOfTheTrainingLengthOfEachModel() {
    Lengths lengths = Lengths.of(List.of("4x", "64", "0.5x", "1x", "1.0x"));
    assertThat(lengths.forTraining(16)).containsExactly(8, 16, 64);
    assertThat(lengths.forTraining(25)).containsExactly(13, 25, 64, 100);
    assertThat(lengths.all()).as("no model is known").containsExactly(64);
    assertThat(lengths.among(List.of(25)).among(List.of(16, 25)).all())
        .containsExactly(8, 13, 16, 25, 64, 100);
    assertThat(new Lengths(List.of(7, 3)).among(List.of(16)).all()).containsExactly(3, 7);
  }

  @ParameterizedTest
  @CsvSource({"0.01x, 0 tokens", "900000000x, 14400000000 tokens"})
  void aMultipleThatIsNoLengthOfAModelIsRejected(String multiple, String found) {
    Lengths lengths = Lengths.of(List.of(multiple));
    assertThatThrownBy(() -> lengths.forTraining(16))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "lengths: expected multiples that are from 1 to 2,147,483,647 tokens, found %s, %s at a"
                + " training length of 16",
            multiple, found);
  }

  @Test
  void aPartIsListedOnce() {
    assertThatThrownBy(() -> Lengths.of(List.of("2x", 64, " 64")))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("at least one, each once, found [2x, 64, 64]");
    assertThatThrownBy(() -> Lengths.of(List.of())).isInstanceOf(InvalidValueException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "0..4",
        "5..4",
        "4..8:0",
        "-3",
        "x",
        "",
        "1.5",
        "9999999999",
        "0x",
        "0.0x",
        "1..2x",
        "2 x",
        ".5x",
        "1e3x",
        "-1x",
        "2X"
      })
  void otherTextIsRejected(String text) {
    assertThatThrownBy(() -> Lengths.of(List.of(text)))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("lengths");
  }

  @Test
  void yamlMayHaveBothForms() throws JsonProcessingException {
    assertThat(ConfigLoader.strictMapper().readValue("[\"41..43\", 100]", Lengths.class).values())
        .containsExactly(41, 42, 43, 100);
    assertThat(ConfigLoader.strictMapper().writeValueAsString(Lengths.of(List.of("2..3"))))
        .isEqualTo("[2,3]");
    String stored = "[64,\"0.5x\",\"10x\"]";
    Lengths read = ConfigLoader.strictMapper().readValue(stored, Lengths.class);
    assertThat(ConfigLoader.strictMapper().writeValueAsString(read.among(List.of(16))))
        .isEqualTo(stored);
  }
}
