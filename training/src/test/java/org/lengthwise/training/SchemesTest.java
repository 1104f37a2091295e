package org.lengthwise.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.lengthwise.positional.PositionalScheme;

class SchemesTest {

  @Test
  void noSchemeIsMissing() {
    assertThat(Schemes.all().stream().map(Object::getClass).collect(Collectors.toSet()))
        .isEqualTo(Schemes.records(PositionalScheme.class).collect(Collectors.toSet()));
  }
}
