package org.lengthwise.automaton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.lengthwise.random.RandomStreams;

class SamplerTest {
  private static final RandomStreams STREAMS = new RandomStreams(11);

  private static Stream<int[]> draw(RegularTask task, int length, int count) {
    Sampler.Draw draw = task.sampler().at(length);
    return IntStream.range(0, count)
        .mapToObj(i -> draw.string(i, STREAMS.stream(task.name() + length + "/" + i)));
  }

  private static Stream<int[]> draw(PaperTask task, Negatives negatives, int length, int count) {
    return draw(task.with(negatives, 0.5), length, count);
  }

  private static Predicate<int[]> labelled(PaperTask task, int label) {
    return ids -> Definitions.label(task, ids) == label;
  }

  @ParameterizedTest
  @CsvSource({"EVEN_PAIRS, 5", "CYCLE_NAVIGATION, 3", "PARITY_CHECK, 5"})
  void symbolsOfTasksThatAreNotLanguagesAreUniform(PaperTask task, int length) {
    Strings.assertUniform(
        draw(task, Negatives.UNIFORM, length, 5000),
        Strings.all(task.automaton().numSymbols(), length));
  }

  @Test
  void parityHasEachSymbolBWithProbabilityP() {
    Strings.assertDistributed(
        draw(PaperTask.PARITY_CHECK.with(Negatives.UNIFORM, 0.7), 4, 5000),
        Strings.all(2, 4),
        ids ->
            Math.pow(0.7, Arrays.stream(ids).sum()) * Math.pow(0.3, 4 - Arrays.stream(ids).sum()));
    assertThat(draw(PaperTask.PARITY_CHECK.with(Negatives.UNIFORM, 1), 9, 50))
        .allSatisfy(ids -> assertThat(ids).containsOnly(1));
  }

  @Test
  void expressionsBeginWithPlusAndHaveAnEvenNumberOfSymbols() {
    for (int length : new int[] {1, 2, 3, 4, 39, 40, 500}) {
      assertThat(draw(PaperTask.MODULAR_ARITHMETIC, Negatives.UNIFORM, length, 20))
          .allSatisfy(ids -> assertThat(ids).hasSize(length + length % 2).startsWith(5));
    }
    Strings.assertUniform(
        draw(PaperTask.MODULAR_ARITHMETIC, Negatives.UNIFORM, 3, 7500),
        Strings.all(8, 4).stream()
            .filter(ids -> ids[0] == 5 && ids[1] < 5 && ids[2] >= 5 && ids[3] < 5)
            .toList());
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.MATCH_ANY,
      names = {"D_.*", "TOMITA_.*"})
  void uniformNegativesAreEquallyFrequent(PaperTask task) {
    Predicate<int[]> outside = labelled(task, 0);
    Strings.assertUniform(
        draw(task, Negatives.UNIFORM, 6, 5000).filter(outside),
        Strings.all(2, 6).stream().filter(outside).toList());
  }

  @ParameterizedTest
  @EnumSource(names = {"TOMITA_5", "TOMITA_6"})
  void stringsOfTheCountingLanguagesAreEquallyFrequent(PaperTask task) {
    Predicate<int[]> inside = labelled(task, 1);
    Strings.assertUniform(
        draw(task, Negatives.UNIFORM, 6, 5000).filter(inside),
        Strings.all(2, 6).stream().filter(inside).toList());
  }

  @Test
  void stringsWithoutThreeZerosAreDrawnSymbolBySymbol() {
    Predicate<int[]> inside = labelled(PaperTask.TOMITA_4, 1);
    Strings.assertDistributed(
        draw(PaperTask.TOMITA_4, Negatives.UNIFORM, 6, 10_000).filter(inside),
        Strings.all(2, 6).stream().filter(inside).toList(),
        ids ->
            IntStream.range(0, 6)
                .mapToDouble(t -> t >= 2 && ids[t - 2] + ids[t - 1] == 0 ? 1 : 0.5)
                .reduce(1, (x, y) -> x * y));
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.MATCH_ANY,
      names = {"D_.*", "TOMITA_.*"})
  void halfOfTheStringsAreInTheLanguageExceptWhereOneLabelExists(PaperTask task) {
    for (int length = 1; length <= 60; length++) {
      for (Negatives negatives : Negatives.values()) {
        int inside =
            draw(task, negatives, length, 10).mapToInt(ids -> Definitions.label(task, ids)).sum();
        assertThat(inside).as("length %d", length).isEqualTo(expectedInside(task, length));
      }
    }
  }

  /** The number of strings inside the language among ten. */
  private static int expectedInside(PaperTask task, int length) {
    return switch (task) {
      case D_2, D_3, D_4, D_12, TOMITA_5 -> length % 2 == 1 ? 0 : 5;
      case TOMITA_3 -> length == 1 ? 10 : 5;
      case TOMITA_4 -> length <= 2 ? 10 : 5;
      case TOMITA_6 -> length == 1 ? 0 : 5;
      default -> throw new IllegalArgumentException(task + " is not a language");
    };
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.MATCH_ANY,
      names = {"D_.*", "TOMITA_.*"})
  void nearNegativesAreOneChangeAwayFromAStringOfTheLanguage(PaperTask task) {
    boolean withFlips = task.label().startsWith("tomita");
    for (int length : new int[] {4, 10, 40}) {
      draw(task, Negatives.NEAR, length, 40)
          .filter(labelled(task, 0))
          .forEach(
              ids ->
                  assertThat(
                          changes(ids, withFlips)
                              .anyMatch(other -> Definitions.label(task, other) == 1))
                      .as(Arrays.toString(ids))
                      .isTrue());
    }
  }

  /** All strings that differ by a swap of two different symbols, or also by one flip. */
  private static Stream<int[]> changes(int[] ids, boolean withFlips) {
    return IntStream.range(0, ids.length)
        .boxed()
        .flatMap(
            s ->
                IntStream.rangeClosed(0, s)
                    .filter(t -> s == t ? withFlips : ids[s] != ids[t])
                    .mapToObj(
                        t -> {
                          int[] changed = ids.clone();
                          changed[s] = 1 - ids[s];
                          changed[t] = 1 - ids[t];
                          return changed;
                        }));
  }

  /** Depths up to 10 at 100 symbols, as an independent script measured. */
  @Test
  void bracketsAreDeepButNotTwelve() {
    IntSummaryStatistics depths =
        draw(PaperTask.D_12, Negatives.UNIFORM, 100, 200)
            .filter(labelled(PaperTask.D_12, 1))
            .mapToInt(SamplerTest::depth)
            .summaryStatistics();
    assertThat(depths.getMin()).isBetween(5, 8);
    assertThat(depths.getMax()).isBetween(9, 11);
  }

  private static int depth(int[] ids) {
    int[] open = Arrays.stream(ids).map(symbol -> 1 - 2 * symbol).toArray();
    Arrays.parallelPrefix(open, Integer::sum);
    return Arrays.stream(open).max().orElseThrow();
  }

  /**
   * Rules without a state, on lengths from 52 to 100: the share of right answers in percent, as an
   * independent script measured.
   */
  @ParameterizedTest
  @CsvSource({
    "D_2, UNIFORM, 100.0, 99.4",
    "D_3, UNIFORM, 99.9, 99.5",
    "D_4, UNIFORM, 98.4, 99.5",
    "D_12, UNIFORM, 81.1, 99.5",
    "D_2, NEAR, 99.4, 77",
    "D_3, NEAR, 83.8, 77",
    "D_4, NEAR, 79.8, 77",
    "D_12, NEAR, 66.7, 77"
  })
  void rulesWithoutAStateScoreAsAnIndependentScriptMeasured(
      PaperTask task, Negatives negatives, double shortRuns, double balanced) {
    int depth = Integer.parseInt(task.label().substring(2));
    assertThat(share(task, negatives, text -> endsFit(text) && isShort(text, depth)))
        .isCloseTo(shortRuns, within(3.0));
    assertThat(share(task, negatives, text -> endsFit(text) && isBalanced(text)))
        .isCloseTo(balanced, within(3.0));
  }

  @Test
  void stringsOfTheThirdTomitaLanguageHaveFewRuns() {
    assertThat(
            share(
                PaperTask.TOMITA_3,
                Negatives.UNIFORM,
                text -> text.split("(?<=0)(?=1)|(?<=1)(?=0)", -1).length <= 8))
        .isGreaterThan(99.5);
  }

  private static boolean endsFit(String text) {
    return text.startsWith("0") && text.endsWith("1");
  }

  private static boolean isShort(String text, int longest) {
    return !text.contains("0".repeat(longest + 1)) && !text.contains("1".repeat(longest + 1));
  }

  private static boolean isBalanced(String text) {
    return 2 * text.replace("0", "").length() == text.length();
  }

  /** How often a rule has the label, in percent; as many odd lengths as even ones. */
  private static double share(PaperTask task, Negatives negatives, Predicate<String> rule) {
    double right = 0;
    int count = 0;
    for (int length = 52; length < 102; length += 5) {
      for (int[] ids : draw(task, negatives, length, 100).toList()) {
        String text = Arrays.stream(ids).mapToObj(String::valueOf).collect(Collectors.joining());
        right += rule.test(text) == (task.automaton().label(ids) == 1) ? 1 : 0;
        count++;
      }
    }
    return 100 * right / count;
  }

  @Test
  void aUsersAutomatonHasTheLabelsOfALengthInTurn() {
    // 1 is any number of 0s: one string at each length; 2 is the number of 1s modulo 2
    Automaton automaton =
        new Automaton(
            List.of("0", "1"),
            List.of(List.of(0, 1), List.of(1, 2), List.of(2, 1)),
            List.of(2, 1, 0));
    RegularTask task = RegularTask.of("mine", automaton, Negatives.UNIFORM, 0.5);
    assertThat(draw(task, 40, 6).mapToInt(automaton::label)).containsExactly(0, 1, 2, 0, 1, 2);
    assertThat(draw(task, 1, 4).mapToInt(automaton::label)).containsExactly(1, 2, 1, 2);
    Strings.assertUniform(
        draw(task, 5, 6000).filter(ids -> automaton.label(ids) == 0),
        Strings.all(2, 5).stream()
            .filter(ids -> Arrays.stream(ids).sum() > 0 && Arrays.stream(ids).sum() % 2 == 0)
            .toList());
    assertThatThrownBy(() -> RegularTask.of("mine", automaton, Negatives.NEAR, 0.5))
        .hasMessage("negatives: expected uniform for an automaton, found near");
    assertThatThrownBy(() -> RegularTask.of("mine", automaton, Negatives.UNIFORM, 0.7))
        .hasMessage("p: expected 0.5 for an automaton, found 0.7");
  }

  @Test
  void aLengthWithoutALabelledStringIsRejected() {
    // only strings of even length have a label
    Automaton automaton =
        new Automaton(
            List.of("0", "1"),
            List.of(List.of(1, 2), List.of(0, 0), List.of(3, 3), List.of(1, 1)),
            List.of(0, Automaton.NONE, Automaton.NONE, 1));
    Sampler sampler = RegularTask.of("mine", automaton, Negatives.UNIFORM, 0.5).sampler();
    assertThat(sampler.at(2).string(1, STREAMS.stream("any"))).startsWith(1);
    assertThatThrownBy(() -> sampler.at(3))
        .hasMessage("length: expected a length at which a string has a label, found 3");
  }

  @ParameterizedTest
  @EnumSource
  void aStringDependsOnItsIndexAndItsStreamOnly(PaperTask task) {
    Sampler sampler = task.with(Negatives.UNIFORM, 0.5).sampler();
    Sampler.Draw draw = sampler.at(12);
    int[] first = draw.string(4, STREAMS.stream("4"));
    draw.string(5, STREAMS.stream("5"));
    assertThat(draw.string(4, STREAMS.stream("4"))).isEqualTo(first);
    assertThat(sampler.at(12).string(4, STREAMS.stream("4"))).isEqualTo(first);
  }
}
