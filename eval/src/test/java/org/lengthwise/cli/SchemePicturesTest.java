package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The pictures of docs/reference/schemes.md are those of the code. If one is stale, {@code
 * scripts/reference.sh} writes them anew.
 */
class SchemePicturesTest {
  private static final Path PICTURES = CommandRunner.HOME.resolve("docs/reference/schemes");
  private static final boolean WRITES = Boolean.getBoolean("lengthwise.reference.write");

  private final CommandRunner commands = new CommandRunner();
  private @TempDir Path folder = Path.of("");

  private String draw(String position, int length) throws IOException {
    Path file = folder.resolve("position.yaml");
    Files.writeString(file, "position: {%s}\n".formatted(position));
    String written =
        commands.run(
            "inspect",
            "--position",
            file.toString(),
            "--length",
            String.valueOf(length),
            "--plot",
            folder.toString());
    return Files.readString(Path.of(written.trim()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "none | scheme: none",
        "alibi | scheme: alibi",
        "kerple-log | scheme: kerple-log",
        "sandwich | scheme: sandwich, dimension: 128",
        "rope | scheme: rope, base: 10000",
        "sliding-window | scheme: sliding-window, window: 4, within: none",
        "stick-breaking | scheme: stick-breaking",
        "layers | scheme: layers, repeat: [{scheme: sliding-window, window: 4, within: none},"
            + " {scheme: none}]",
        "regulargpt | scheme: regulargpt, chunk: 2"
      })
  void pictureIsThatOfTheCode(String name, String position) throws IOException {
    String svg = draw(position, 16);
    Path file = PICTURES.resolve(name + ".svg");
    if (WRITES) {
      Files.createDirectories(PICTURES);
      Files.writeString(file, svg);
    }
    assertThat(svg.length()).isLessThan(10_000);
    assertThat(file).content().isEqualTo(svg);
  }

  @Test
  void cellsAreTheKeysOfEachQueryAndTheWayToTheLastTokenIsMarked() throws IOException {
    String svg = draw("scheme: regulargpt, chunk: 2", 4);
    // Level 0: 4 + 3 pairs, of which the queries 1 and 3 lead to the last token; level 1: 4 + 2.
    assertThat(cells(svg, "<path opacity=\"1.0\"")).isEqualTo(7 - 4 + 6 - 2);
    assertThat(cells(svg, "<path class=\"way\"")).isEqualTo(4 + 2);
    assertThat(svg).contains("level 0", "level 1").doesNotContain("level 2");
  }

  private static long cells(String svg, String start) {
    return svg.lines()
        .filter(line -> line.startsWith(start))
        .mapToLong(line -> Pattern.compile("M\\d").matcher(line).results().count())
        .sum();
  }

  @Test
  void aLinearRecurrenceHasNoKeys() throws IOException {
    Path file = folder.resolve("linear.yaml");
    Files.writeString(file, "position: {scheme: linear, member: gla}");
    assertThat(
            commands.fail(2, "inspect", "--position", file.toString(), "--plot", folder.toString()))
        .contains("a scheme with attention", "found gla");
    String hybrid =
        "{scheme: linear, member: gla}, {scheme: sliding-window, window: 4, within: none}";
    assertThat(cells(draw("scheme: layers, repeat: [" + hybrid + "]", 8), "<path opacity=\"1.0\""))
        .isEqualTo(1 + 2 + 3 + 5 * 4);
  }

  @Test
  void optionsThatDoNotFitAreNamed() {
    assertThat(commands.fail(2, "inspect", "--position", "x.yaml"))
        .contains("--position", "found no --plot");
  }
}
