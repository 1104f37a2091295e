package org.lengthwise.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ReferenceTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @Test
  void configuration() throws IOException {
    Files.writeString(
        ROOT.resolve("docs/reference/configuration.md"), ConfigurationPage.of(ROOT).text());
    assertThat(true).isTrue();
  }
}
