package org.lengthwise.ngram;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.ngram.TheoremTransformer.Normaliser;
import org.lengthwise.ngram.TheoremTransformer.Theorem;

/** The paper's theorems against counts, for every string up to a length. */
class TheoremsTest {
  private static final long SEED = Long.getLong("lengthwise.test.seed", 20240616L);

  /** Alphabet, order, and longest string. */
  private static final int[][] SIZES = {
    {2, 2, 7}, {2, 3, 7}, {2, 4, 6}, {2, 5, 6}, {3, 3, 5}, {1, 5, 8}
  };

  private static final List<String> TEXTS = List.of("abaab", "abb", "ba", "a", "aab", "");

  /**
   * How often a, b and the end follow each history in the texts; 1 each after an unknown history.
   */
  private static int[][] countsOfTexts(List<int[]> histories, int n) {
    int[][] counts = new int[histories.size()][3];
    for (String text : TEXTS) {
      int[] string = text.chars().map(letter -> letter - 'a').toArray();
      for (int t = 0; t <= string.length; t++) {
        counts[index(histories, string, t, n, 2)][t < string.length ? string[t] : 2]++;
      }
    }
    Arrays.stream(counts)
        .filter(row -> Arrays.stream(row).sum() == 0)
        .forEach(row -> Arrays.fill(row, 1));
    return counts;
  }

  /** The count of each symbol, and of the end of a string, after each history. */
  private static int[][] randomCounts(int numHistories, int alphabet) {
    Random random = new Random(SEED);
    return IntStream.range(0, numHistories)
        .mapToObj(
            history -> {
              int[] counts = random.ints(alphabet + 1, 0, 4).toArray();
              counts[random.nextInt(alphabet + 1)]++; // not all are 0
              return counts;
            })
        .toArray(int[][]::new);
  }

  /**
   * The largest difference of a conditional probability, and of the probability of a string, from
   * the exact fraction. A prefix at which not exactly one neuron fires counts as 1.
   */
  private static double difference(
      TheoremTransformer transformer, int alphabet, int n, int longest, int[][] counts) {
    List<int[]> histories = allHistories(n, alphabet);
    double largest = 0;
    for (int length = 0; length <= longest; length++) {
      for (int[] string : strings(alphabet, length)) {
        List<double[]> bits = transformer.histories(string);
        assertThat(bits).hasSize(length + 1);
        double p = 1;
        BigInteger numerator = BigInteger.ONE;
        BigInteger denominator = BigInteger.ONE;
        for (int t = 0; t <= length; t++) {
          double[] neurons = TheoremTransformer.neurons(bits.get(t), histories);
          int fired = TheoremTransformer.fired(neurons);
          int[] row = counts[index(histories, string, t, n, alphabet)];
          int total = Arrays.stream(row).sum();
          for (int symbol = 0; symbol <= alphabet; symbol++) {
            // The column of E holds ln p; it is gathered, since 0 times ln 0 is not a number.
            double found = fired < 0 ? 2 : Math.exp(Math.log(p(counts[fired], symbol)));
            largest =
                Math.max(largest, Math.min(1, Math.abs(found - (double) row[symbol] / total)));
          }
          int next = t < length ? string[t] : alphabet;
          p *= fired < 0 ? 0 : p(counts[fired], next);
          numerator = numerator.multiply(BigInteger.valueOf(row[next]));
          denominator = denominator.multiply(BigInteger.valueOf(total));
        }
        largest =
            Math.max(largest, Math.abs(p - numerator.doubleValue() / denominator.doubleValue()));
      }
    }
    return largest;
  }

  private static double p(int[] counts, int symbol) {
    return (double) counts[symbol] / Arrays.stream(counts).sum();
  }

  /** Every history BOS^k s of n - 1 symbols. */
  private static List<int[]> allHistories(int n, int alphabet) {
    List<int[]> found = new ArrayList<>();
    for (int length = 0; length < n; length++) {
      for (int[] string : strings(alphabet, length)) {
        int[] history = new int[n - 1];
        Arrays.fill(history, alphabet);
        System.arraycopy(string, 0, history, n - 1 - length, length);
        found.add(history);
      }
    }
    return Collections.unmodifiableList(found);
  }

  /** Every string of a length. */
  private static List<int[]> strings(int alphabet, int length) {
    List<int[]> strings = List.of(new int[0]);
    for (int i = 0; i < length; i++) {
      strings =
          strings.stream()
              .flatMap(
                  string ->
                      IntStream.range(0, alphabet)
                          .mapToObj(
                              symbol -> {
                                int[] longer = Arrays.copyOf(string, string.length + 1);
                                longer[string.length] = symbol;
                                return longer;
                              }))
              .toList();
    }
    return strings;
  }

  private static int index(List<int[]> histories, int[] string, int end, int n, int alphabet) {
    int[] history = new int[n - 1];
    for (int i = 0; i < n - 1; i++) {
      int place = end - (n - 1) + i;
      history[i] = place < 0 ? alphabet : string[place];
    }
    return IntStream.range(0, histories.size())
        .filter(i -> Arrays.equals(histories.get(i), history))
        .findFirst()
        .orElseThrow();
  }

  /** Theorem 3.3 ends at position 310, where its digits underflow. */
  @ParameterizedTest
  @EnumSource(names = {"SINGLE", "SPARSE"})
  void aTextHasTheHistoryOfTheNGramModelAtEveryPlace(Theorem theorem) {
    int n = 3;
    List<int[]> histories = allHistories(n, 2);
    int[] text = new Random(SEED).ints(300, 0, 2).toArray();
    List<double[]> bits = new TheoremTransformer(theorem, n, 2).histories(text);
    assertThat(bits).hasSize(text.length + 1);
    for (int t = 0; t <= text.length; t++) {
      assertThat(TheoremTransformer.fired(TheoremTransformer.neurons(bits.get(t), histories)))
          .as("%s, seed %s, t = %s", theorem, SEED, t)
          .isEqualTo(index(histories, text, t, n, 2));
    }
  }

  static Stream<Arguments> theorems() {
    return Arrays.stream(Theorem.values())
        .flatMap(theorem -> Arrays.stream(SIZES).map(size -> Arguments.of(theorem, size)));
  }

  @ParameterizedTest
  @MethodSource("theorems")
  void everyStringHasTheProbabilityOfTheNGramModel(Theorem theorem, int[] size) {
    int alphabet = size[0];
    int n = size[1];
    int[][] counts = randomCounts(allHistories(n, alphabet).size(), alphabet);
    requireExact(theorem, n, alphabet, size[2], counts);
  }

  @ParameterizedTest
  @EnumSource
  void everyStringHasTheProbabilityOfTheSixTexts(Theorem theorem) {
    for (int n = 2; n <= 5; n++) {
      int[][] counts = countsOfTexts(allHistories(n, 2), n);
      requireExact(theorem, n, 2, n == 4 ? 7 : 8, counts);
    }
  }

  private static void requireExact(
      Theorem theorem, int n, int alphabet, int longest, int[][] counts) {
    TheoremTransformer transformer = new TheoremTransformer(theorem, n, alphabet);
    assertThat(difference(transformer, alphabet, n, longest, counts))
        .as("n = %d, seed %d", n, SEED)
        .isLessThan(1e-16);
    boolean arePairs = theorem == Theorem.HEADS || theorem == Theorem.LAYERS;
    double last = longest + n - 1;
    assertThat(transformer.smallestLead())
        .as("lead for n = %d", n)
        .isBetween(arePairs ? 1 / (9 * Math.pow(last, 3)) : 1, 1.0);
  }

  /** A history with the counts of a, b and the end after it; ^ is BOS. */
  @ParameterizedTest
  @CsvSource({
    "2, ^ 4 1 1  a 2 4 2  b 2 1 3",
    "3, ^^ 4 1 1  ^a 1 2 1  ^b 1 0 0  aa 0 2 0  ab 1 1 2  ba 1 0 1  bb 0 0 1"
  })
  void theSixTextsHaveTheirKnownCounts(int n, String expected) {
    List<int[]> histories = allHistories(n, 2);
    int[][] counts = countsOfTexts(histories, n);
    assertThat(
            IntStream.range(0, counts.length)
                .mapToObj(i -> letters(histories.get(i)) + numbers(counts[i]))
                .collect(joining("  ")))
        .isEqualTo(expected);
  }

  private static String letters(int[] symbols) {
    return Arrays.stream(symbols)
        .mapToObj(symbol -> "ab^".substring(symbol, symbol + 1))
        .collect(joining());
  }

  private static String numbers(int[] counts) {
    return Arrays.stream(counts).mapToObj(count -> " " + count).collect(joining());
  }

  @ParameterizedTest
  @MethodSource("controls")
  void printedHeadsAndOtherNormalisersFail(
      Theorem theorem, Normaliser normaliser, int firstHead, double expected) {
    TheoremTransformer wrong = new TheoremTransformer(theorem, normaliser, firstHead, 3, 2);
    int[][] counts = countsOfTexts(allHistories(3, 2), 3);
    assertThat(difference(wrong, 2, 3, 6, counts)).isCloseTo(expected, within(0.005));
  }

  static Stream<Arguments> controls() {
    return Stream.of(
        Arguments.of(Theorem.HEADS, Normaliser.HARDMAX, 1, 1.0), // as printed
        Arguments.of(Theorem.HEADS, Normaliser.SPARSEMAX, 0, 1.0),
        Arguments.of(Theorem.HEADS, Normaliser.SOFTMAX, 0, 1.0),
        Arguments.of(Theorem.LAYERS, Normaliser.SPARSEMAX, 0, 1.0),
        Arguments.of(Theorem.LAYERS, Normaliser.SOFTMAX, 0, 1.0),
        Arguments.of(Theorem.SPARSE, Normaliser.SOFTMAX, 0, 1.0));
  }

  @Test
  void sparsemaxHasItsKnownValues() {
    assertThat(Normaliser.SPARSEMAX.weights(new double[] {0, -1, -2})).containsExactly(1, 0, 0);
    assertThat(Normaliser.SPARSEMAX.weights(new double[] {0, -0.5, -1}))
        .containsExactly(0.75, 0.25, 0);
  }

  /** The best key leads by 1 - cos(angle), about 1/(8 p^3), which rounding swallows. */
  @Test
  void theLeadOfAPairEndsAtSomePosition() {
    assertThat(firstWrong(TheoremsTest::dot)).isEqualTo(77_780);
    assertThat(firstWrong(TheoremsTest::dotInFloat32)).isEqualTo(123);
    double lead = dot(1000, 1000) - dot(1000, 1001);
    assertThat(lead * 8 * 1e9).isCloseTo(1, within(0.01));
  }

  /** The first position at which the key one step back does not lead its two neighbours. */
  private static int firstWrong(DoubleBinaryOperator score) {
    return IntStream.iterate(3, p -> p + 1)
        .filter(
            p -> {
              double right = score.applyAsDouble(p, p);
              return right <= score.applyAsDouble(p, p - 1)
                  || right <= score.applyAsDouble(p, p + 1);
            })
        .findFirst()
        .orElseThrow();
  }

  private static double dotInFloat32(double s, double t) {
    float right = (float) Math.sqrt(1 - 1 / (float) s) * (float) Math.sqrt(1 - 1 / (float) t);
    return (float) Math.sqrt(1 / (float) s) * (float) Math.sqrt(1 / (float) t) + right;
  }

  private static double dot(double s, double t) {
    return Math.sqrt(1 / s) * Math.sqrt(1 / t) + Math.sqrt(1 - 1 / s) * Math.sqrt(1 - 1 / t);
  }

  /** 10^-p becomes 0. */
  @Test
  void aSingleHeadEndsWhereItsDigitsUnderflow() {
    int n = 3;
    int[] string = new Random(SEED).ints(400, 0, 2).toArray();
    List<int[]> histories = allHistories(n, 2);
    List<double[]> bits = new TheoremTransformer(Theorem.SINGLE, n, 2).histories(string);
    int t = 0;
    while (TheoremTransformer.fired(TheoremTransformer.neurons(bits.get(t), histories))
        == index(histories, string, t, n, 2)) {
      t++;
    }
    int position = t + n - 1; // of the last symbol that is read, with BOS before the string
    assertThat(position).isEqualTo(310);
  }
}
