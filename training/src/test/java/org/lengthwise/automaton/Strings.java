package org.lengthwise.automaton;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Strings by enumeration, and the frequencies of drawn strings. */
final class Strings {
  private Strings() {}

  /** All strings of a length in lexicographic order. */
  static List<int[]> all(int numSymbols, int length) {
    List<int[]> strings = new ArrayList<>();
    for (int rank = 0; rank < Math.pow(numSymbols, length); rank++) {
      int[] ids = new int[length];
      int rest = rank;
      for (int t = length - 1; t >= 0; t--) {
        ids[t] = rest % numSymbols;
        rest /= numSymbols;
      }
      strings.add(ids);
    }
    return strings;
  }

  /** Requires that strings are drawn equally often. */
  static void assertUniform(Stream<int[]> drawn, List<int[]> strings) {
    assertDistributed(drawn, strings, ids -> 1.0 / strings.size());
  }

  /** Requires strings of given probabilities: Pearson's chi-squared within five deviations. */
  static void assertDistributed(
      Stream<int[]> drawn, List<int[]> strings, ToDoubleFunction<int[]> probability) {
    Map<String, Integer> counts = new HashMap<>();
    drawn.forEach(ids -> counts.merge(Arrays.toString(ids), 1, Integer::sum));
    int total = counts.values().stream().mapToInt(Integer::intValue).sum();
    double chiSquared = 0;
    double sum = 0;
    for (int[] ids : strings) {
      double expected = total * probability.applyAsDouble(ids);
      Integer found = counts.remove(Arrays.toString(ids));
      chiSquared += Math.pow((found == null ? 0 : found) - expected, 2) / expected;
      sum += expected;
    }
    assertThat(counts).as("other strings").isEmpty();
    assertThat(sum).isCloseTo(total, org.assertj.core.data.Offset.offset(1e-6 * total));
    int freedom = strings.size() - 1;
    assertThat(chiSquared).isLessThan(freedom + 5 * Math.sqrt(2.0 * freedom));
  }
}
