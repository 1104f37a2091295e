package org.lengthwise.automaton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lengthwise.random.RandomStreams;

/** The accuracy of rules without states, over strings of 52 to 100 symbols. */
class RuleTest {
  private static final int PER_LENGTH = 40;

  private static double accuracy(PaperTask paper, Negatives negatives, int rule) {
    RegularTask task = paper.with(negatives, PaperTask.FAIR);
    RandomStreams streams = new RandomStreams(1);
    long right = 0;
    for (int length = 52; length <= 100; length++) {
      Sampler.Draw draw = task.sampler().at(length);
      for (int i = 0; i < PER_LENGTH; i++) {
        int[] ids = draw.string(i, streams.stream(length + "/" + i));
        right += task.rules().get(rule).label(ids) == task.automaton().label(ids) ? 1 : 0;
      }
    }
    return 100.0 * right / (49 * PER_LENGTH);
  }

  /** The expected shares were computed by an independent program. */
  @ParameterizedTest
  @CsvSource({
    "D_2, UNIFORM, 0, 100.0",
    "D_3, UNIFORM, 0, 99.9",
    "D_4, UNIFORM, 0, 98.4",
    "D_12, UNIFORM, 0, 81.1",
    "D_2, UNIFORM, 1, 97.6",
    "D_12, UNIFORM, 1, 97.7",
    "D_2, UNIFORM, 2, 99.4",
    "D_12, UNIFORM, 2, 99.5",
    "D_2, NEAR, 0, 99.4",
    "D_3, NEAR, 0, 83.8",
    "D_4, NEAR, 0, 79.8",
    "D_12, NEAR, 0, 66.7",
    "TOMITA_3, UNIFORM, 0, 99.96"
  })
  void rulesScoreAsHighAsModelsDo(PaperTask task, Negatives negatives, int rule, double expected) {
    assertThat(accuracy(task, negatives, rule)).isCloseTo(expected, within(2.0));
  }

  @Test
  void rulesAreThoseOfTheirNames() {
    List<Rule> rules = PaperTask.D_3.with(Negatives.UNIFORM, PaperTask.FAIR).rules();
    assertThat(rules)
        .extracting(Rule::name)
        .containsExactly(
            "first 0, last 1, no run longer than 3",
            "as many 0 as 1",
            "as many 0 as 1, first 0, last 1");
    assertThat(labels(rules, 0, 0, 0, 1, 1, 1)).containsExactly(1, 1, 1);
    assertThat(labels(rules, 0, 0, 0, 0, 1, 1)).containsExactly(0, 0, 0);
    assertThat(labels(rules, 1, 0)).containsExactly(0, 1, 0);
    assertThat(labels(rules, 0, 0, 1)).containsExactly(1, 0, 0);
    Rule runs = PaperTask.TOMITA_3.with(Negatives.UNIFORM, PaperTask.FAIR).rules().get(0);
    int[] eight = IntStream.range(0, 8).map(t -> t % 2).toArray();
    int[] nine = IntStream.range(0, 9).map(t -> t % 2).toArray();
    assertThat(runs.label(eight)).isEqualTo(1);
    assertThat(runs.label(nine)).isZero();
    assertThat(PaperTask.PARITY_CHECK.with(Negatives.UNIFORM, 0.7).rules()).isEmpty();
  }

  private static List<Integer> labels(List<Rule> rules, int... ids) {
    return rules.stream().map(rule -> rule.label(ids)).toList();
  }
}
