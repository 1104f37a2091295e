package org.lengthwise.automaton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.random.RandomStreams;

class PaperTaskTest {
  private static final String ARITHMETIC = "01234+-*";
  private static final Pattern REPEATED = Pattern.compile("\\((\\d+)\\)(\\d+)");

  /** The ids of a string, written with one character for each symbol. */
  private static int[] ids(PaperTask task, String text) {
    return text.chars()
        .map(
            symbol ->
                task == PaperTask.MODULAR_ARITHMETIC
                    ? ARITHMETIC.indexOf(symbol)
                    : symbol >= 'a' ? symbol - 'a' : symbol - '0')
        .toArray();
  }

  /** Vectors of an independent script: strings with their labels; (01)3 is 010101. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "even_pairs: a 0, ab 1, aabba 0, abb 1, bbbb 0, baabab 0, abababab 1",
        "modular_arithmetic: +3 3, +1+2-4 4, +1+2*3 2, +1-1-1 4, +0*1+4*3-2 0, +4*4*4-3*2+1 4,"
            + " +2-3*4*0-1 1, +4-4*4 3",
        "parity_check: a 0, b 1, aabba 0, bbb 1, babab 1, bbbbaaaa 0",
        "cycle_navigation: 0 0, 1 1, 2 4, 010211 2, 222 2, 11111 0, 1212120 0, 2222222 3",
        "d_2: 0 0, 1 0, 01 1, 10 0, 0101 1, 0011 1, 000111 0, 001011 1, 010011 1, 001101 1,"
            + " 00110 0, 0110 0",
        "d_3: 01 1, 000111 1, 00001111 0, 00101011 1, 00011011 1, 001110 0, 0001101011 1, 0001 0",
        "d_4: 01 1, 00001111 1, 0000011111 0, 0001011011 1, 00011110 0, 000011010111 1,"
            + " 00100111 1, 1100 0",
        "d_12: 01 1, (0)12(1)12 1, (0)13(1)13 0, (0)11(01)1(1)11 1, (0)12(1)11 0,"
            + " (0)5(01)5(1)5 1, (0)12(10)3(1)12 1, (0)12(01)1(1)12 0",
        "tomita_3: 0 1, 1 1, 10 0, 100 1, 110 1, 1000 0, 11000 1, 10010 0, 10011 1, 0001 1,"
            + " 1001100 1, 111001110 0",
        "tomita_4: 0 1, 00 1, 000 0, 1001 1, 10001 0, 0010010 1, 00100100 1, 1000 0, 11111 1",
        "tomita_5: 0 0, 1 0, 00 1, 11 1, 01 0, 0011 1, 0110 1, 0001 0, 010101 0, 0000111 0,"
            + " 00001111 1",
        "tomita_6: 0 0, 1 0, 01 1, 00 0, 000 1, 0011 1, 00001 1, 0000 0, 111 1, 0111110 1,"
            + " 10101 0"
      })
  void labelsAreThoseOfAnIndependentScript(String line) {
    String[] parts = line.split(": ", -1);
    PaperTask task = PaperTask.named(parts[0]);
    for (String vector : parts[1].split(", ", -1)) {
      String[] pair = vector.split(" ", -1);
      String text =
          REPEATED
              .matcher(pair[0])
              .replaceAll(found -> found.group(1).repeat(Integer.parseInt(found.group(2))));
      assertThat(task.automaton().label(ids(task, text)))
          .as(vector)
          .isEqualTo(Integer.parseInt(pair[1]));
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MODULAR_ARITHMETIC")
  void theAutomatonLabelsEveryShortStringByTheDefinition(PaperTask task) {
    Automaton automaton = task.automaton();
    for (int length = 1; length <= (automaton.numSymbols() == 2 ? 12 : 8); length++) {
      assertLabels(task, Strings.all(automaton.numSymbols(), length));
    }
  }

  @Tag("acceptance")
  @Test
  void cycleNavigationLabelsEveryStringOfUpToTwelveSymbolsByTheDefinition() {
    for (int length = 9; length <= 12; length++) {
      assertLabels(PaperTask.CYCLE_NAVIGATION, Strings.all(3, length));
    }
  }

  @Test
  void everyShortExpressionHasItsValueAndOtherStringsHaveNoLabel() {
    Automaton automaton = PaperTask.MODULAR_ARITHMETIC.automaton();
    for (int length = 1; length <= 4; length++) {
      List<int[]> strings = Strings.all(8, length).stream().filter(ids -> ids[0] != 7).toList();
      assertLabels(
          PaperTask.MODULAR_ARITHMETIC,
          strings.stream().filter(PaperTaskTest::isExpression).toList());
      assertThat(strings.stream().filter(ids -> !isExpression(ids)))
          .allSatisfy(
              ids ->
                  assertThatThrownBy(() -> automaton.label(ids))
                      .hasMessage(
                          "ids: expected a complete string of the task, found one without a"
                              + " label"));
    }
  }

  private static boolean isExpression(int[] ids) {
    return ids.length % 2 == 0
        && IntStream.range(0, ids.length).allMatch(t -> ids[t] < 5 == (t % 2 == 1));
  }

  private static void assertLabels(PaperTask task, List<int[]> strings) {
    Automaton automaton = task.automaton();
    assertThat(strings.stream().mapToInt(automaton::label).toArray())
        .isEqualTo(strings.stream().mapToInt(ids -> Definitions.label(task, ids)).toArray());
  }

  @ParameterizedTest
  @EnumSource
  void theAutomatonLabelsDrawnStringsByTheDefinition(PaperTask task) {
    assertLabelsOfDrawnStrings(task, 20);
  }

  @Tag("acceptance")
  @ParameterizedTest
  @EnumSource
  void theAutomatonLabelsManyDrawnStringsByTheDefinition(PaperTask task) {
    assertLabelsOfDrawnStrings(task, 1000);
  }

  private static void assertLabelsOfDrawnStrings(PaperTask task, int count) {
    RandomStreams streams = new RandomStreams(7);
    for (int length : new int[] {1, 2, 3, 40, 41, 50, 99, 100, 500}) {
      for (RegularTask choice : choices(task)) {
        Sampler.Draw draw = choice.sampler().at(length);
        assertLabels(
            task,
            IntStream.range(0, count)
                .mapToObj(i -> draw.string(i, streams.stream(length + "/" + i)))
                .toList());
      }
    }
  }

  /** The task with every kind of negatives that it has. */
  private static List<RegularTask> choices(PaperTask task) {
    RegularTask uniform = task.with(Negatives.UNIFORM, 0.5);
    return task.compareTo(PaperTask.D_2) < 0
        ? List.of(uniform)
        : List.of(uniform, task.with(Negatives.NEAR, 0.5));
  }

  /** Sizes that an independent script computed by closure. */
  @ParameterizedTest
  @CsvSource({
    "parity_check, 2, 2",
    "cycle_navigation, 5, 5",
    "even_pairs, 5, 4",
    "tomita_3, 5, 25",
    "tomita_4, 4, 11",
    "tomita_5, 4, 4",
    "tomita_6, 3, 3",
    "d_2, 4, 14",
    "d_3, 5, 30",
    "d_4, 6, 55",
    "d_12, 14, 819",
    "modular_arithmetic, 61, 617"
  })
  void automataHaveTheSizeAndTheNumberOfMapsOfAnIndependentScript(
      String name, int numStates, int numMaps) {
    Automaton automaton = PaperTask.named(name).automaton();
    assertThat(automaton.numStates()).isEqualTo(numStates);
    List<List<Integer>> symbols =
        IntStream.range(0, automaton.numSymbols())
            .mapToObj(x -> automaton.transitions().stream().map(row -> row.get(x)).toList())
            .toList();
    assertThat(closure(symbols)).hasSize(numMaps);
  }

  @Test
  void arithmeticHasTheMapsOfAnIndependentScriptByPairsOfOperatorAndDigit() {
    Automaton automaton = PaperTask.MODULAR_ARITHMETIC.automaton();
    List<Integer> complete =
        IntStream.range(0, automaton.numStates())
            .filter(state -> automaton.labels().get(state) != Automaton.NONE)
            .boxed()
            .toList();
    assertThat(complete).hasSize(25);
    List<List<Integer>> pairs = new ArrayList<>();
    for (int operator = 5; operator < 8; operator++) {
      for (int digit = 0; digit < 5; digit++) {
        List<Integer> map = new ArrayList<>();
        for (int state : complete) {
          map.add(complete.indexOf(automaton.next(automaton.next(state, operator), digit)));
        }
        pairs.add(map);
      }
    }
    assertThat(closure(pairs)).hasSize(129);
  }

  /** All maps that are compositions of some maps of the states. */
  private static Set<List<Integer>> closure(List<List<Integer>> generators) {
    Set<List<Integer>> maps = new HashSet<>(generators);
    Deque<List<Integer>> open = new ArrayDeque<>(generators);
    while (!open.isEmpty()) {
      List<Integer> map = open.remove();
      for (List<Integer> generator : generators) {
        List<Integer> longer = map.stream().map(generator::get).toList();
        if (maps.add(longer)) {
          open.add(longer);
        }
      }
    }
    return maps;
  }

  @Test
  void anUnknownNameIsRejectedWithTheNearestOne() {
    assertThatThrownBy(() -> PaperTask.named("tomita3"))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageStartingWith("name: expected one of even_pairs, modular_arithmetic, ")
        .hasMessageEndingWith("found `tomita3` (did you mean `tomita_3`?)");
  }

  @Test
  void aChoiceThatATaskDoesNotHaveIsRejected() {
    for (PaperTask task : List.of(PaperTask.EVEN_PAIRS, PaperTask.CYCLE_NAVIGATION)) {
      assertThatThrownBy(() -> task.with(Negatives.NEAR, 0.5))
          .hasMessageStartingWith("negatives: expected uniform");
    }
    assertThatThrownBy(() -> PaperTask.D_2.with(Negatives.UNIFORM, 0.7))
        .hasMessageStartingWith("p: expected 0.5, because only parity_check");
    assertThatThrownBy(() -> PaperTask.PARITY_CHECK.with(Negatives.UNIFORM, 1.5))
        .hasMessageContaining("found 1.5");
  }
}
