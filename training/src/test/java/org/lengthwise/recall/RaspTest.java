package org.lengthwise.recall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.lengthwise.config.InvalidValueException;

/** The labels of RASP programs against plain definitions, and the strings that are drawn. */
class RaspTest {
  private static final long SEED = Long.getLong("lengthwise.test.seed", 20260719);
  private static final int NUM_STRINGS = 1000;

  private static Rasp task(RaspLanguage language) {
    return new Rasp(language, List.of(0, 40), 0, 0, 0, 0);
  }

  @ParameterizedTest
  @CsvSource({
    "REVERSE, abc, cba",
    "HIST_BOS, §aba, §212",
    "HIST, aba, 212",
    "DOUBLE_HIST, §abbc, §2112",
    "SORT, §cba, §abc",
    "MOST_FREQ, §abbccddd, §dbca§§§§",
    "DYCK_1, ()()), PTPTF",
    "DYCK_2, ({))(}), PPFFFFF"
  })
  void labelsAreThoseOfThePaper(RaspLanguage language, String input, String labels) {
    Rasp task = task(language);
    assertThat(text(task, task.label(task.ids(input)).targets())).isEqualTo(labels);
  }

  /** Labels as characters: BOS, symbols, T, P and F, or digits. */
  private static String text(Rasp task, int[] labels) {
    String symbols = symbols(task);
    boolean isVerdict = task.language().hasBrackets();
    return Arrays.stream(labels)
        .mapToObj(
            id ->
                id < symbols.length()
                    ? symbols.substring(id, id + 1)
                    : isVerdict
                        ? "TPF".substring(id - symbols.length(), id - symbols.length() + 1)
                        : String.valueOf(id - symbols.length() + 1))
        .collect(Collectors.joining());
  }

  private static String symbols(Rasp task) {
    return task.language().symbols(task.alphabet()) + (task.language().hasBos() ? "§" : "");
  }

  @ParameterizedTest
  @EnumSource
  void labelsAreThoseOfAPlainDefinition(RaspLanguage language) {
    System.out.printf("%s: lengthwise.test.seed=%d%n", language, SEED);
    Rasp task = task(language);
    Random random = new Random(SEED);
    for (int i = 0; i < NUM_STRINGS; i++) {
      int length = random.nextInt(language.hasBos() ? 0 : 1, 21);
      int[] ids = task.draw(length, Stream.TRAIN, random);

      assertThat(task.label(ids).targets())
          .as("%s of %s", language, task.text(ids))
          .isEqualTo(defined(task, ids));
    }
  }

  /** The labels from the ids alone. */
  private static int[] defined(Rasp task, int[] ids) {
    int bos = task.alphabet();
    boolean hasBos = task.language().hasBos();
    int[] x = hasBos ? Arrays.copyOfRange(ids, 1, ids.length) : ids;
    int first = bos + (hasBos ? 1 : 0) - 1;
    int[] y =
        switch (task.language()) {
          case REVERSE -> IntStream.range(0, x.length).map(t -> x[x.length - 1 - t]).toArray();
          case HIST, HIST_BOS -> Arrays.stream(x).map(id -> first + count(x, id)).toArray();
          case DOUBLE_HIST ->
              Arrays.stream(x)
                  .map(
                      id ->
                          first
                              + (int)
                                  Arrays.stream(x)
                                      .distinct()
                                      .filter(other -> count(x, other) == count(x, id))
                                      .count())
                  .toArray();
          case SORT ->
              Arrays.stream(x)
                  .boxed()
                  .sorted(Comparator.comparing(id -> symbols(task).codePointAt(id)))
                  .mapToInt(id -> id)
                  .toArray();
          case MOST_FREQ -> {
            List<Integer> most =
                Arrays.stream(x)
                    .distinct()
                    .boxed()
                    .sorted(Comparator.comparing(id -> -count(x, id)))
                    .toList();
            yield IntStream.range(0, x.length)
                .map(t -> t < most.size() ? most.get(t) : bos)
                .toArray();
          }
          case DYCK_1, DYCK_2 -> verdicts(x, first + 1, task.alphabet() - 1);
        };
    return hasBos ? IntStream.concat(IntStream.of(bos), Arrays.stream(y)).toArray() : y;
  }

  /** Of 20 brackets most prefixes still can be completed; a single symbol has the count 1. */
  @Test
  void theMajorityLabelIsThatOfFreshStringsOfTheLength() {
    Rasp dyck = task(RaspLanguage.DYCK_1);
    assertThat(baseline(dyck, "the majority label", dyck.ids("((((((((((())))))))"))).isEqualTo(4);
    Rasp hist = task(RaspLanguage.HIST);
    assertThat(baseline(hist, "the majority label", hist.ids("a"))).isEqualTo(26);
    Random random = new Random(SEED);
    Map<Integer, Long> counts =
        IntStream.range(0, NUM_STRINGS)
            .flatMap(i -> Arrays.stream(hist.label(hist.draw(40, Stream.TEST, random)).targets()))
            .boxed()
            .collect(Collectors.groupingBy(label -> label, Collectors.counting()));
    int[] ids = hist.draw(40, Stream.TEST, random);
    assertThat(counts.get(baseline(hist, "the majority label", ids)))
        .isEqualTo(counts.values().stream().mapToLong(count -> count).max().orElseThrow());
  }

  @Test
  void aCopyOfTheInputIsABaselineWhereLabelsAreTokens() {
    Rasp sort = task(RaspLanguage.SORT);
    assertThat(baseline(sort, "copy of the input", sort.ids("§cba")))
        .isEqualTo(sort.ids("§cba")[1]);
    assertThat(task(RaspLanguage.HIST).form().baselines())
        .extracting(Baseline::name)
        .containsExactly("the majority label");
  }

  /** The prediction at position 1, or 0 of a single symbol. */
  private static int baseline(Rasp task, String name, int[] ids) {
    return task.form().baselines().stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow()
        .rule()
        .at(task.label(ids), Math.min(1, ids.length - 1));
  }

  private static int count(int[] x, int id) {
    return (int) Arrays.stream(x).filter(other -> other == id).count();
  }

  private static int[] verdicts(int[] x, int balanced, int neutral) {
    Deque<Integer> open = new ArrayDeque<>();
    int[] y = new int[x.length];
    boolean failed = false;
    for (int t = 0; t < x.length; t++) {
      if (x[t] != neutral && x[t] % 2 == 0) {
        open.push(x[t]);
      } else if (x[t] != neutral && !failed) {
        failed = open.isEmpty() || open.pop() != x[t] - 1;
      }
      y[t] = balanced + (failed ? 2 : open.isEmpty() ? 0 : 1);
    }
    return y;
  }

  @ParameterizedTest
  @EnumSource(names = {"DYCK_1", "DYCK_2"})
  void bracketsHaveAllThreeVerdictsOften(RaspLanguage language) {
    Rasp task = task(language);
    Random random = new Random(SEED);
    long[] counts = new long[3];
    for (int i = 0; i < 300; i++) {
      int[] ids = task.draw(40, Stream.TRAIN, random);
      Arrays.stream(task.label(ids).targets()).forEach(id -> counts[id - task.alphabet()]++);
    }
    System.out.println(language + " T, P, F: " + Arrays.toString(counts));
    assertThat(Arrays.stream(counts).min().orElseThrow()).isGreaterThan(300 * 40 / 20);
  }

  @Test
  void aCountAboveTheLongestTrainingLengthHasALabelThatIsNeverTrained() {
    Rasp task = new Rasp(RaspLanguage.HIST, List.of(1, 3), 0, 0, 0, 0);
    assertThat(task.label(task.ids("aaa")).targets()).containsOnly(26 + 2);
    assertThat(task.label(task.ids("aaaa")).targets()).containsOnly(26 + 3);
    assertThat(task.label(task.ids("aaaaaa")).targets()).containsOnly(26 + 3);
    assertThat(task.form().vocabulary()).isEqualTo(26 + 4);
  }

  @Test
  void emptyStringsNeedABos() {
    assertThat(task(RaspLanguage.SORT).trainingLengths()).startsWith(0).hasSize(41);
    assertThat(task(RaspLanguage.REVERSE).trainingLengths()).startsWith(1).hasSize(40);
  }

  @Test
  void everyAlphabetHasDifferentSymbols() {
    assertThat(RaspLanguage.REVERSE.symbols(100).chars().distinct()).hasSize(100);
    assertThat(RaspLanguage.SORT.symbols(500).chars().distinct())
        .hasSize(500)
        .doesNotContain((int) '§');
  }

  @ParameterizedTest
  @CsvSource({
    "SORT, abc, 'character 1: expected §, found a'",
    "HIST, aB, 'character 2: expected one of abcdefghijklmnopqrstuvwxyz, found B'",
    "SORT, §a§, character 3: expected one of",
    "HIST, '', 'character 1: expected a character, found an empty text'"
  })
  void aStringOfOtherSymbolsIsRejected(RaspLanguage language, String text, String message) {
    assertThatThrownBy(() -> task(language).ids(text))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining(message);
  }
}
