package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RaspCommandTest {
  private static final String SORT = CommandRunner.HOME.resolve("conf/rasp/sort.rasp").toString();

  private final CommandRunner commands = new CommandRunner();

  @TempDir private Path folder;

  @Test
  void printsValuesAndSizes() {
    assertThat(commands.run("rasp", SORT, "--s-op", "sort_bos", "--input", "§cba"))
        .isEqualToNormalizingNewlines(
            "sort_bos(\"§cba\") = [§, a, b, c]\n2 layers, heads by layer: 1 1\n");
    assertThat(commands.run("rasp", SORT, "--s-op", "tokens"))
        .isEqualToNormalizingNewlines("0 layers\n");
  }

  @Test
  void jsonHasNumbersTextsTruthValuesAndFractions() throws IOException {
    Path program = folder.resolve("p.rasp");
    Files.writeString(program, "v = [1, 3/2, \"x\", True][indices];");

    assertThat(
            commands
                .run("rasp", program.toString(), "--s-op", "v", "--input", "abcd", "--json")
                .strip())
        .isEqualTo(
            "{\"s_op\":\"v\",\"input\":\"abcd\",\"values\":[1,\"3/2\",\"x\",true],\"layers\":0,\"heads\":[]}");
    assertThat(commands.run("rasp", SORT, "--s-op", "sorted", "--json").strip())
        .isEqualTo(
            "{\"s_op\":\"sorted\",\"input\":null,\"values\":null,\"layers\":2,\"heads\":[2,1]}");
  }

  @Test
  void drawingsAreFiles() throws IOException {
    Path drawing = folder.resolve("new/sort.svg");

    assertThat(
            commands.run(
                "rasp", SORT, "--s-op", "sorted", "--input", "cab", "--draw", drawing.toString()))
        .endsWith(drawing + System.lineSeparator());
    assertThat(Files.readString(drawing)).startsWith("<svg").contains("sorted(\"cab\")");
  }

  @Test
  void mistakesEndWithExitCodeTwo() {
    assertThat(commands.fail(2, "rasp", SORT, "--s-op", "sort"))
        .contains("sort.rasp: expected the s-op `sort`, found the function sort;");
    assertThat(commands.fail(2, "rasp", SORT, "--s-op", "sortd"))
        .contains("found no such name (did you mean `sorted`?)");
    assertThat(commands.fail(2, "rasp", SORT, "--s-op", "sorted", "--draw", "x.svg"))
        .contains("--draw: expected an input");
    assertThat(commands.fail(2, "rasp", SORT, "--s-op", "sorted", "--input", ""))
        .contains("the input: expected at least one character");
    assertThat(commands.fail(2, "rasp", "missing.rasp", "--s-op", "a")).contains("no such file");
  }
}
