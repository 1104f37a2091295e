package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaskCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int execute(String in, String options) {
    TaskCommand command =
        new TaskCommand(new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)));
    return Lengthwise.commandLine(List.of(command))
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(("task " + options).split(" ", -1));
  }

  private List<String> draw(String options) {
    out.getBuffer().setLength(0);
    assertThat(execute("", options)).as("%s", err).isZero();
    return out.toString().lines().toList();
  }

  private void assertFails(int code, String in, String options, String message) {
    err.getBuffer().setLength(0);
    assertThat(execute(in, options)).as(options).isEqualTo(code);
    assertThat(err.toString()).contains(message);
  }

  @Test
  void drawnStringsAreLinesOfJsonOrText() {
    List<String> json = draw("--name parity_check --length 20 --count 100 --seed 1 --json");
    assertThat(json)
        .hasSize(100)
        .allSatisfy(
            line -> assertThat(line).matches("\\{\"ids\":\\[[01](,[01]){19}],\"label\":[01]}"));
    assertThat(draw("--name parity_check --length 20 --count 100 --seed 1"))
        .hasSize(100)
        .allSatisfy(line -> assertThat(line).matches("[ab]( [ab]){19}\t[01]"));
    assertThat(draw("--name parity_check --length 20 --count 100 --seed 1 --json")).isEqualTo(json);
    assertThat(draw("--name parity_check --length 20 --count 100 --seed 2 --json"))
        .isNotEqualTo(json);
    assertThat(draw("--name parity_check --length 5 --count 9 --seed 1 --p 1"))
        .containsOnly("b b b b b\t1");
  }

  @Test
  void lengthsDrawIndependentStrings() {
    String prefix =
        draw("--name parity_check --length 20 --count 1 --seed 1").get(0).substring(0, 30);
    assertThat(draw("--name parity_check --length 21 --count 1 --seed 1").get(0))
        .doesNotStartWith(prefix);
  }

  @Test
  void halfOfTheStringsOfALanguageHaveEachLabel() {
    for (String negatives : List.of("uniform", "near")) {
      assertThat(
              draw("--name d_3 --length 12 --count 50 --seed 1 --negatives " + negatives).stream()
                  .filter(line -> line.endsWith("\t1")))
          .hasSize(25);
    }
  }

  @Test
  void givenStringsAreLabelled() {
    assertThat(execute("{\"ids\":[1,0,0]}\n{\"ids\": [1,0]}\n", "--name tomita_3 --label"))
        .isZero();
    assertThat(out.toString().lines())
        .containsExactly("{\"ids\":[1,0,0],\"label\":1}", "{\"ids\":[1,0],\"label\":0}");
  }

  @Test
  void aLineThatIsNotAStringOfTheTaskEndsWithBadDataAndItsPlace() {
    assertFails(
        3,
        "{\"ids\":[1]}\n{\"ids\":[1,0,2]}\n",
        "--name tomita_3 --label",
        "lengthwise task: line 2, ids[2]: expected an id from 0 to 1 (0, 1), found 2");
    for (String wrong :
        List.of("", "[1]", "{\"ids\":null}", "{\"ids\":[1.5]}", "{\"ids\":[1],\"label\":0}", "{")) {
      assertFails(
          3,
          wrong + "\n",
          "--name tomita_3 --label",
          "line 1: expected {\"ids\":[0,1]} with the ids of a string, found " + wrong);
    }
    assertFails(3, "{\"ids\":[]}\n", "--name d_2 --label", "line 1, ids: expected at least one id");
    assertFails(3, "null\n", "--name d_2 --label", "line 1, ids: expected ids of a string");
    assertFails(
        3, "{\"ids\":[5]}\n", "--name modular_arithmetic --label", "expected a complete string");
  }

  @Test
  void wrongOptionsEndWithWhatIsExpectedAndFound() {
    String rest = " --length 4 --count 1 --seed 1";
    assertFails(2, "", "--name paritycheck" + rest, "(did you mean `parity_check`?)");
    assertFails(2, "", "--name paritycheck --label", "(did you mean `parity_check`?)");
    for (String task :
        List.of("even_pairs", "modular_arithmetic", "parity_check", "cycle_navigation")) {
      assertFails(
          2,
          "",
          "--name " + task + rest + " --negatives near",
          "--negatives: expected uniform, because " + task + " is not a language, found near");
    }
    assertFails(2, "", "--name d_2" + rest + " --p 0.7", "--p: expected 0.5");
    assertFails(
        2,
        "",
        "--name d_2 --length 0 --count 1 --seed 1",
        "--length: expected at least 1, found 0");
    assertFails(
        2, "", "--name d_2 --length 1 --count 0 --seed 1", "--count: expected at least 1, found 0");
    assertFails(2, "", "--name d_2 --length 4", "--count");
    assertFails(2, "", "--name d_2 --label" + rest, "exclusive");
    assertFails(2, "", "--label", "--name");
  }

  @Test
  void anAutomatonInAFileIsATask(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("mine.yaml");
    Files.writeString(
        file, "symbols: [x, y]\ntransitions:\n  - [0, 1]\n  - [1, 1]\nlabels: [0, 1]\n");
    assertThat(draw("--automaton " + file + " --length 3 --count 4 --seed 1"))
        .satisfies(lines -> assertThat(lines.get(0)).isEqualTo("x x x\t0"))
        .satisfies(lines -> assertThat(lines.get(1)).endsWith("\t1"));
    assertFails(
        2,
        "",
        "--automaton " + file + " --length 3 --count 4 --seed 1 --negatives near",
        "--negatives: expected uniform for an automaton, found near");
    Files.writeString(file, "symbols: [x, y]\ntransitions:\n  - [0]\n  - [1, 1]\nlabels: [0, 1]\n");
    assertFails(2, "", "--automaton " + file + " --label", "mine.yaml:3: expected a next state");
    assertFails(
        2, "", "--automaton " + folder.resolve("none.yaml") + " --label", "a configuration file");
  }
}
