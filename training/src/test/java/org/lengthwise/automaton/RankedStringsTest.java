package org.lengthwise.automaton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RankedStringsTest {

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MODULAR_ARITHMETIC")
  void everyStringOfALabelHasOneRank(PaperTask task) {
    Automaton automaton = task.automaton();
    for (int length = 1; length <= 7; length++) {
      for (int label = 0; label < automaton.numLabels(); label++) {
        int wanted = label;
        List<int[]> expected =
            Strings.all(automaton.numSymbols(), length).stream()
                .filter(ids -> Definitions.label(task, ids) == wanted)
                .toList();
        RankedStrings strings = new RankedStrings(automaton, length, label);
        assertThat(strings.size()).isEqualTo(expected.size());
        assertThat(strings.isEmpty()).isEqualTo(expected.isEmpty());
        assertThat(
                Stream.iterate(BigInteger.ZERO, BigInteger.ONE::add)
                    .limit(expected.size())
                    .map(strings::get))
            .containsExactlyElementsOf(expected);
      }
    }
  }

  @Test
  void everyRankIsDrawnEquallyOften() {
    // tomita_6 has 10 strings of length 5 with label 1
    RankedStrings strings = new RankedStrings(PaperTask.TOMITA_6.automaton(), 5, 1);
    Random random = new Random(1);
    Strings.assertUniform(
        Stream.generate(() -> strings.draw(random)).limit(10_000),
        Strings.all(2, 5).stream()
            .filter(ids -> Definitions.label(PaperTask.TOMITA_6, ids) == 1)
            .toList());
  }

  @Test
  void aRareLabelOfALongStringIsDrawnAsFastAsAnyOther() {
    // one string of 2^4000 has the label 1
    Automaton onlyZeros =
        new Automaton(List.of("0", "1"), List.of(List.of(0, 1), List.of(1, 1)), List.of(1, 0));
    RankedStrings strings = new RankedStrings(onlyZeros, 4000, 1);
    assertThat(strings.size()).isOne();
    assertThat(strings.draw(new Random(1))).containsOnly(0);
  }

  @Test
  void aLengthWhoseCountsDoNotFitIntoMemoryIsRejected() {
    assertThatThrownBy(() -> new RankedStrings(PaperTask.D_12.automaton(), 1_000_000, 1))
        .hasMessage("length: expected at most 17515 for an automaton of 14 states, found 1000000");
  }
}
