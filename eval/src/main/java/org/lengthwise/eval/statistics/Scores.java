package org.lengthwise.eval.statistics;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * One value for each seed and each unit, such as a negative log-likelihood: the same units under
 * every seed. A unit is what is resampled as one: a target token, or a stretch of the split where
 * many neighbouring tokens were scored, with the mean of its tokens as value and their number as
 * weight.
 *
 * <p>Rows are matched by target, never by place. A target that was drawn twice is there twice.
 */
public final class Scores {
  private final long[] keys_U;
  private final int[] weights_U;
  private final SortedMap<Long, double[]> values_SU;

  private Scores(long[] keys_U, int[] weights_U, SortedMap<Long, double[]> values_SU) {
    this.keys_U = keys_U;
    this.weights_U = weights_U;
    this.values_SU = values_SU;
  }

  /**
   * The values of one seed, each target a unit.
   *
   * @param seed the seed
   * @param targets for each row its target, in any order
   * @param values for each row its value
   * @return the values, ordered by target
   */
  public static Scores of(long seed, long[] targets, double[] values) {
    requireRows(targets, values);
    int[] order =
        IntStream.range(0, targets.length)
            .boxed()
            .sorted((a, b) -> Long.compare(targets[a], targets[b]))
            .mapToInt(Integer::intValue)
            .toArray();
    int[] ones = new int[targets.length];
    Arrays.fill(ones, 1);
    return new Scores(pick(targets, order), ones, new TreeMap<>(Map.of(seed, pick(values, order))));
  }

  /**
   * The values of one seed, each stretch of the split a unit.
   *
   * @param seed the seed
   * @param targets for each row its target, in any order
   * @param values for each row its value
   * @param stretch how many tokens of the split are one unit
   * @return the means of the stretches that have a target, in their order
   */
  public static Scores inStretches(long seed, long[] targets, double[] values, long stretch) {
    requireRows(targets, values);
    SortedMap<Long, Sum> sums = new TreeMap<>();
    for (int row = 0; row < targets.length; row++) {
      sums.computeIfAbsent(targets[row] / stretch, key -> new Sum()).add(values[row]);
    }
    return new Scores(
        sums.keySet().stream().mapToLong(Long::longValue).toArray(),
        sums.values().stream().mapToInt(sum -> sum.count).toArray(),
        new TreeMap<>(
            Map.of(seed, sums.values().stream().mapToDouble(s -> s.sum / s.count).toArray())));
  }

  private static final class Sum {
    private double sum;
    private int count;

    private void add(double value) {
      sum += value;
      count++;
    }
  }

  private static void requireRows(long[] targets, double[] values) {
    if (targets.length == 0 || targets.length != values.length) {
      throw new IllegalArgumentException(
          "expected as many values as targets, at least one, found %d and %d"
              .formatted(values.length, targets.length));
    }
  }

  /**
   * Several seeds of one model, on the units that all of them have.
   *
   * @param seeds the values of different seeds, at least one
   * @return the values together; empty if no unit is common
   */
  public static Optional<Scores> together(List<Scores> seeds) {
    Optional<Scores> all = Optional.of(seeds.get(0));
    for (Scores next : seeds.subList(1, seeds.size())) {
      all = all.flatMap(before -> before.beside(next));
    }
    return all;
  }

  private Optional<Scores> beside(Scores other) {
    Match match = Match.of(keys_U, other.keys_U);
    SortedMap<Long, double[]> values = new TreeMap<>();
    values_SU.forEach((seed, values_U) -> values.put(seed, pick(values_U, match.left())));
    other.values_SU.forEach(
        (seed, values_U) -> {
          if (values.put(seed, pick(values_U, match.right())) != null) {
            throw new IllegalArgumentException("seed " + seed + " is there twice");
          }
        });
    return matched(match, values);
  }

  /**
   * What these values are above others: value by value, for the units and the seeds that both have.
   *
   * @param other what is subtracted
   * @return the differences; empty if no unit or no seed is common
   */
  public Optional<Scores> minus(Scores other) {
    Match match = Match.of(keys_U, other.keys_U);
    SortedMap<Long, double[]> differences = new TreeMap<>();
    values_SU.forEach(
        (seed, values_U) -> {
          double[] subtracted_U = other.values_SU.get(seed);
          if (subtracted_U != null) {
            double[] left = pick(values_U, match.left());
            double[] right = pick(subtracted_U, match.right());
            differences.put(
                seed,
                IntStream.range(0, left.length).mapToDouble(u -> left[u] - right[u]).toArray());
          }
        });
    return matched(match, differences);
  }

  private Optional<Scores> matched(Match match, SortedMap<Long, double[]> values_SU) {
    return match.left().length == 0 || values_SU.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Scores(
                pick(keys_U, match.left()),
                IntStream.of(match.left()).map(u -> weights_U[u]).toArray(),
                values_SU));
  }

  /** Places in two sorted lists of keys that belong together. */
  private record Match(int[] left, int[] right) {
    static Match of(long[] left, long[] right) {
      IntStream.Builder lefts = IntStream.builder();
      IntStream.Builder rights = IntStream.builder();
      int l = 0;
      int r = 0;
      while (l < left.length && r < right.length) {
        if (left[l] == right[r]) {
          lefts.add(l++);
          rights.add(r++);
        } else if (left[l] < right[r]) {
          l++;
        } else {
          r++;
        }
      }
      return new Match(lefts.build().toArray(), rights.build().toArray());
    }
  }

  private static double[] pick(double[] values, int[] places) {
    return Arrays.stream(places).mapToDouble(place -> values[place]).toArray();
  }

  private static long[] pick(long[] values, int[] places) {
    return Arrays.stream(places).mapToLong(place -> values[place]).toArray();
  }

  /**
   * How many units there are.
   *
   * @return U, at least 1
   */
  public int numUnits() {
    return keys_U.length;
  }

  /**
   * How many target tokens there are in all units.
   *
   * @return N, at least U
   */
  public int numTokens() {
    return Arrays.stream(weights_U).sum();
  }

  /**
   * The seeds.
   *
   * @return each once, rising
   */
  public List<Long> seeds() {
    return List.copyOf(values_SU.keySet());
  }

  /** For each unit its tokens' sum of the means over seeds. */
  double[] sums() {
    double[] sums_U = new double[numUnits()];
    for (double[] values_U : values_SU.values()) {
      for (int u = 0; u < sums_U.length; u++) {
        sums_U[u] += weights_U[u] * values_U[u] / values_SU.size();
      }
    }
    return sums_U;
  }

  /** For each unit the number of its tokens. */
  int[] weights() {
    return weights_U.clone();
  }

  /**
   * The mean over tokens of each seed.
   *
   * @return S means, in the order of {@link #seeds()}
   */
  public double[] meanOfSeeds() {
    return values_SU.values().stream().mapToDouble(this::meanOverTokens).toArray();
  }

  private double meanOverTokens(double[] values_U) {
    double sum = 0;
    for (int u = 0; u < values_U.length; u++) {
      sum += weights_U[u] * values_U[u];
    }
    return sum / numTokens();
  }

  /**
   * The mean over tokens and seeds.
   *
   * @return the mean
   */
  public double mean() {
    double[] means_S = meanOfSeeds();
    return Arrays.stream(means_S).sum() / means_S.length;
  }

  /**
   * The standard error of {@link #mean()} that the spread over seeds shows: the sample standard
   * deviation of their means, divided by the square root of S.
   *
   * @return the standard error; 0 for one seed, which shows no spread
   */
  public double standardErrorOverSeeds() {
    double[] means_S = meanOfSeeds();
    if (means_S.length == 1) {
      return 0;
    }
    double mean = mean();
    double squares = Arrays.stream(means_S).map(m -> (m - mean) * (m - mean)).sum();
    return Math.sqrt(squares / (means_S.length - 1) / means_S.length);
  }
}
