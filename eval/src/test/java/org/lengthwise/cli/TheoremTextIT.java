package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lengthwise.ngram.TheoremTransformer.Theorem;

class TheoremTextIT {
  @TempDir private Path folder;

  private final CommandRunner commands = new CommandRunner();

  private String text(String content) throws IOException {
    return "--text=" + Files.writeString(folder.resolve("text.txt"), content);
  }

  @ParameterizedTest
  @EnumSource
  void theConstructionOfATheoremAgreesWithTheTexts(Theorem theorem) throws IOException {
    String texts = text(String.join("\n", ConstructIT.TEXTS) + "\n");
    assertThat(commands.run("construct", "--order=3", texts, "--theorem=" + theorem))
        .contains("6 texts, 2 symbols, 7 histories")
        .contains("places with the history of the n-gram model: 20 of 20\n")
        .containsPattern("largest difference of a probability: (0\\.0|[0-9.]+e-17)\n");
    assertThat(commands.fail(2, "construct", "--order=3", "--data=d", "--theorem=" + theorem))
        .contains("--theorem: expected --text FILE");
  }

  /** The digits of theorem 3.3 underflow; sparsemax goes on. */
  @Test
  void aLongTextShowsWhereAConstructionEnds() throws IOException {
    String text = text("ab".repeat(200));
    assertThat(commands.run("construct", "--order=3", text, "--theorem=single"))
        .contains("308 of 401; not in text 1 at position 310, counted with 2 BOS");
    assertThat(commands.run("construct", "--order=3", text, "--theorem=sparse"))
        .contains("401 of 401\n", "smallest lead of a key: 1.00");
  }

  @Test
  void anEmptyFileIsRefused() throws IOException {
    assertThat(commands.fail(2, "construct", "--order=3", text(""), "--theorem=heads"))
        .contains("--text: expected at least one character, found only empty lines");
    assertThat(commands.fail(2, "construct", "--order=1", text("ab"), "--theorem=heads"))
        .contains("--order: expected at least 2, found 1");
  }

  @Test
  void optionsOfCheckpointsAreRefused() throws IOException {
    String[] command = {"construct", "--order=3", text("ab"), "--theorem=heads", "--name=small"};
    assertThat(commands.fail(2, command)).contains("--theorem: expected no --name");
  }
}
