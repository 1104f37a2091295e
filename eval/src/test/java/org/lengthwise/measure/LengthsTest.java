package org.lengthwise.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.InvalidValueException;

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

  @ParameterizedTest
  @ValueSource(strings = {"0", "0..4", "5..4", "4..8:0", "-3", "x", "", "1.5", "9999999999"})
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
  }
}
