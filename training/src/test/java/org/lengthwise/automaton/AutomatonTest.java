package org.lengthwise.automaton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.error.ConfigException;

class AutomatonTest {
  private static final String PARITY =
      """
      symbols: [a, b]
      transitions:
        - [0, 1]
        - [1, 0]
      labels: [0, 1]
      """;

  @TempDir private Path folder = Path.of("");

  private Automaton read(String yaml) throws IOException {
    return Automaton.read(Files.writeString(folder.resolve("mine.yaml"), yaml));
  }

  private void assertFails(String yaml, String message) {
    assertThatThrownBy(() -> read(yaml))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aFileHasTheValueOfTheBuiltInAutomaton() throws IOException {
    assertThat(read(PARITY)).isEqualTo(PaperTask.PARITY_CHECK.automaton());
  }

  @Test
  void aMistakeInAFileIsReportedAtItsLine() {
    assertFails(PARITY.replace("labels", "lables"), "mine.yaml:5: expected one of the keys labels");
    assertFails(PARITY.replace("labels", "lables"), "`lables` (did you mean `labels`?)");
    assertFails(
        PARITY.replace("labels: [0, 1]", ""), "mine.yaml:1: expected the key `labels` (a list)");
    assertFails(
        PARITY.replace("[1, 0]", "[1]"),
        "mine.yaml:4: expected a next state for each of the symbols a, b for `transitions.1`, found"
            + " no state for b");
    assertFails(
        PARITY.replace("[1, 0]", "[1, 0, 1]"), "mine.yaml:4: expected a next state for each of");
    assertFails(
        PARITY.replace("[1, 0]", "[1, 2]"),
        "mine.yaml:4: expected states from 0 to 1 for `transitions.1`, found 2");
    assertFails(
        PARITY.replace("[0, 1]\nlabels", "[0, x]\nlabels").replace("[1, 0]", "[1, x]"),
        "mine.yaml:4: expected a whole number for `transitions[1][1]`, found the text \"x\"");
  }

  @Test
  void symbolsAndLabelsAreChecked() {
    assertFails(
        PARITY.replace("a, b", "a, a"), "mine.yaml:1: expected at least one name, each once");
    assertFails(
        PARITY.replace("labels: [0, 1]", "labels: [0]"),
        "mine.yaml:5: expected a label for each state for `labels`, found [0] for 2 states");
    for (String wrong : List.of("[0, 2]", "[0, 0]", "[-2, 0]", "[1, 1]", "[-1, 0]")) {
      assertFails(
          PARITY.replace("labels: [0, 1]", "labels: " + wrong),
          "mine.yaml:5: expected 0, 1 and so on without a gap, or -1 for a state without a label"
              + " for `labels`, found "
              + wrong);
    }
  }

  @Test
  void anIdOutsideTheAlphabetIsReportedWithItsPlace() {
    Automaton automaton = PaperTask.PARITY_CHECK.automaton();
    assertThatThrownBy(() -> automaton.label(new int[] {0, 1, 2}))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("ids[2]: expected an id from 0 to 1 (a, b), found 2");
    assertThatThrownBy(() -> automaton.label(new int[] {-1})).hasMessageStartingWith("ids[0]: ");
    assertThatThrownBy(() -> automaton.label(new int[0]))
        .hasMessage("ids: expected at least one id, found none");
  }
}
