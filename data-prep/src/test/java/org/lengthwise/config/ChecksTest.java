package org.lengthwise.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChecksTest {
  private static final String SHA256 =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  @Test
  void aViolatedCheckCarriesTheKeyTheExpectationAndTheValue() {
    InvalidValueException invalid =
        catchThrowableOfType(
            InvalidValueException.class, () -> Checks.atLeast("model.heads", 0, 1));
    assertThat(invalid.key()).isEqualTo("model.heads");
    assertThat(invalid.expected()).isEqualTo("at least 1");
    assertThat(invalid.found()).isEqualTo("0");
    assertThat(invalid).hasMessage("model.heads: expected at least 1, found 0");
  }

  @Test
  void boundsOfARangeAreValidAndNotANumberIsNot() {
    assertThatCode(
            () -> {
              Checks.within("share", 0, 0, 1);
              Checks.within("share", 1, 0, 1);
            })
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> Checks.within("share", 1.5, 0, 1)).hasMessageContaining("found 1.5");
    assertThatThrownBy(() -> Checks.within("share", Double.NaN, 0, 1)).hasMessageContaining("NaN");
    assertThatThrownBy(() -> Checks.above("base", 1, 1)).hasMessageContaining("a number above 1");
    assertThatThrownBy(() -> Checks.above("base", Double.POSITIVE_INFINITY, 1))
        .hasMessageContaining("found Infinity");
    assertThatThrownBy(() -> Checks.finite("loss", Double.NEGATIVE_INFINITY))
        .hasMessageContaining("a finite number");
  }

  @Test
  void anUnknownNameIsRejectedWithTheMostSimilarOne() {
    assertThatCode(() -> Checks.oneOf("task", "parity", List.of("parity", "cycle")))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> Checks.oneOf("task", "partiy", List.of("parity", "cycle")))
        .hasMessage("task: expected one of parity, cycle, found `partiy` (did you mean `parity`?)");
    assertThatThrownBy(() -> Checks.oneOf("task", "x", List.of("parity", "cycle")))
        .hasMessageEndingWith("found `x`");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "abc", SHA256 + "0"})
  void textThatIsNotASha256IsRejected(String value) {
    assertThatCode(() -> Checks.sha256("data_sha256", SHA256)).doesNotThrowAnyException();
    assertThatThrownBy(() -> Checks.sha256("data_sha256", value))
        .hasMessage(
            "data_sha256: expected 64 lower-case hexadecimal digits, found '" + value + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-alibi", "alibi/1", "alibi 1", "alibi,1"})
  void aNameThatNeedsQuotesIsRejected(String value) {
    assertThatCode(() -> Checks.name("run", "alibi-1.5_b")).doesNotThrowAnyException();
    assertThatThrownBy(() -> Checks.name("run", value)).hasMessageEndingWith("'" + value + "'");
  }
}
