package org.lengthwise.recall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.config.InvalidValueException;

/** The rules against vectors, and against a second rule that searches the whole string. */
class RecallRuleTest {

  @ParameterizedTest
  @CsvSource({
    "mqar, 2 5 0 7 8 8 0 8 2 8, . . . . . . 7 . 5 .",
    "mqar, 3 4 8 8 3 8, . . . . 4 .",
    "copy, 26 3 1 4 27 3 1 4, . . . . 3 1 4 28",
    "copy, 26 9 27 9, . . 9 28",
    "reverse, 26 3 1 4 27 4 1 3, . . . . 4 1 3 28",
    "reverse, 26 9 27 9, . . 9 28",
    "selective_copy, 17 16 5 16 16 9 18 5 9, . . . . . . 5 9 19",
    "induction, 7 2 16 11 0 16, . . . . . 11",
    "passkey, 44 38 1 2 3 4 5 20 21 44 36 9 8 7 6 0 33 45 38 1 2 3 4,"
        + " . . . . . . . . . . . . . . . . . . 1 2 3 4 5",
    "flipflop, 3 1 2 0 4 1 2 1 4, . . . . 1 . . . 1",
    "flipflop, 3 0 3 1 4 1 3 0 2 1 4, . . . . 1 . . . . . 0",
    "scratchpad, 1 3 0 3 1 2 1, 3 . 3 . 2 . 3"
  })
  void targetsAreThoseOfTheVectors(String name, String ids, String targets) {
    String[] keys = name.equals("mqar") ? new String[] {"task.keys=4"} : new String[0];
    RecallString string = Tasks.of(name, keys).label(Tasks.ids(ids));
    assertThat(string.targets()).containsExactly(Tasks.ids(targets));
  }

  @ParameterizedTest
  @CsvSource({
    "copy, 26 3 1 4 27 3 1 4, . . . . 3 3 3 3",
    "reverse, 26 3 1 4 27 4 1 3, . . . . 1 3 5 7",
    "selective_copy, 17 16 5 16 16 9 18 5 9, . . . . . . 4 2 2",
    "induction, 7 2 16 11 0 16, . . . . . 2",
    "flipflop, 3 0 3 1 4 1 3 0 2 1 4, . . . . 1 . . . . . 3"
  })
  void distanceIsThatOfTheTokenThatHoldsTheAnswer(String name, String ids, String distance) {
    assertThat(Tasks.of(name).label(Tasks.ids(ids)).distance())
        .containsExactly(Tasks.ids(distance));
  }

  @ParameterizedTest
  @CsvSource(
      value = {
        "mqar; 0 16 32 32; ids[4]: expected a query for each pair",
        "mqar; 0 16 0 17 32 32 0 32; ids[2]: expected a new key",
        "mqar; 0 16 32 32 1 32; ids[4]: expected a filler, or a key of a pair",
        "copy; 26 3 1 27 3 2; ids[5]: expected the letter at ids[2]",
        "reverse; 26 3 1 27 3 1; ids[4]: expected the letter at ids[2]",
        "selective_copy; 17 5 16 18 6; ids[4]: expected the next letter (5), found 6",
        "selective_copy; 17 16 16 18; ids[3]: expected SEP after as many letters: 1, found 18",
        "selective_copy; 17 1 5 18 1 5; ids[3]: expected SEP after as many letters: 1, found 18",
        "induction; 7 16 3 16 16; ids[3]: expected a letter, found 16",
        "passkey; 44 38 1 2 3 4 5 20 45 38 1 2 3 4; ids[8]: expected 2 keys before ASK, found 45",
        "passkey; 44 38 1 2 3 4 5 44 37 0 0 0 0 0 45 38 1 2 3 5; ids[19]: expected digit 4 of the key, found 5",
        "passkey; 44 38 1 2 3 4 5 44 36 0 0 0 0 0 45 37 1 2 3 4; ids[15]: expected a name with a key",
        "flipflop; 3 1 4 0 4; ids[3]: expected the bit of the last write, found 0",
        "flipflop; 3 1 2 5 4; ids[3]: expected a bit, found 5",
        "scratchpad; 1 2 0; ids[1]: expected the label of the string so far, found 2"
      },
      delimiter = ';')
  void stringThatNoSamplerWritesIsRejectedWithItsPlace(String name, String ids, String message) {
    DrawnTask task = Tasks.of(name);
    assertThatThrownBy(() -> task.label(Tasks.ids(ids)))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining(message);
  }

  /** The answers by another way: from the ids alone, with a search through the string. */
  private static Map<Integer, Integer> answers(String name, int[] ids) {
    Map<Integer, Integer> answers = new HashMap<>();
    List<Integer> list = Arrays.stream(ids).boxed().toList();
    switch (name) {
      case "mqar" -> {
        for (int t = 0; t < ids.length; t++) {
          boolean isPair = t + 1 < ids.length && ids[t + 1] >= 16 && ids[t + 1] < 32;
          if (ids[t] < 16 && !isPair) {
            answers.put(t, ids[list.indexOf(ids[t]) + 1]);
          }
        }
      }
      case "copy", "reverse", "selective_copy" -> {
        int separator = name.equals("selective_copy") ? 18 : 27;
        int at = list.indexOf(separator);
        for (int t = at; t < ids.length; t++) {
          answers.put(t, t + 1 < ids.length ? ids[t + 1] : separator + 1);
        }
      }
      case "induction" -> answers.put(ids.length - 1, ids[list.indexOf(16) + 1]);
      case "passkey" -> {
        int asked = list.indexOf(ids[ids.length - 5]);
        for (int i = 0; i < 5; i++) {
          answers.put(ids.length - 5 + i, ids[asked + 1 + i]);
        }
      }
      case "flipflop" -> {
        for (int t = 0; t < ids.length; t += 2) {
          int write = ids[t] == 4 ? t : -1;
          while (write >= 0 && ids[write] != 3) {
            write -= 2;
          }
          if (write >= 0) {
            answers.put(t, ids[write + 1]);
          }
        }
      }
      case "scratchpad" -> {
        for (int t = 0; t < ids.length; t += 2) {
          int ones = 0;
          for (int i = 0; i <= t; i += 2) {
            ones += ids[i];
          }
          answers.put(t, 2 + ones % 2);
        }
      }
      default -> throw new AssertionError(name);
    }
    return answers;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mqar",
        "copy",
        "reverse",
        "selective_copy",
        "induction",
        "passkey",
        "flipflop",
        "scratchpad"
      })
  void targetsAreThoseOfASearchAtOnceTwiceAndSixteenTimesTheLength(String name) {
    DrawnTask task = Tasks.of(name);
    int longest = task.lengths().get(1);
    for (int length : new int[] {longest, 2 * longest, 16 * longest}) {
      for (RecallString string : Tasks.draw(task, Stream.TEST, length, 1000)) {
        assertThat(string.ids()).hasSize(task.numTokens(length));
        Map<Integer, Integer> expected = answers(name, string.ids());
        for (int t = 0; t < string.ids().length; t++) {
          int target = expected.getOrDefault(t, RecallString.NONE);
          if (string.targets()[t] != target) { // an assertion for each token takes seconds
            assertThat(string.targets()[t]).as("%s at %d", name, t).isEqualTo(target);
          }
        }
      }
    }
  }

  @Test
  void everyDistanceLeadsToTheAnswer() {
    List<String> names =
        DrawnTask.names().stream().filter(one -> !one.matches("rasp|scratchpad")).toList();
    for (String name : names) { // the label of a position may stand nowhere
      DrawnTask task = Tasks.of(name);
      for (RecallString string : Tasks.draw(task, Stream.TRAIN, task.lengths().get(1), 50)) {
        for (int t = 0; t < string.ids().length; t++) {
          // EOS stands nowhere; BOS or SEP holds it.
          boolean isEos =
              name.matches("copy|reverse|selective_copy") && t + 1 == string.ids().length;
          if (string.asks(t) && !isEos) {
            assertThat(string.ids()[t - string.distance()[t]])
                .as(name)
                .isEqualTo(string.targets()[t]);
          }
        }
      }
    }
  }
}
