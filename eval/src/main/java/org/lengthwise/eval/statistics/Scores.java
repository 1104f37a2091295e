package org.lengthwise.eval.statistics;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * One value for each seed and each window, such as a negative log-likelihood: the same windows
 * under every seed. A window's value is the mean of its scored tokens, of which the last one may be
 * the only one, and its weight is their number.
 *
 * <p>Windows are matched by the token that they end at, never by place. One that was drawn twice is
 * there twice.
 *
 * <p>Windows are resampled in units. Where the last token alone is scored, each is a unit of its
 * own. Where neighbours are, those that end in one stretch of the split are, as far as they may
 * overlap or adjoin; no window is ever divided, for its tokens have a document and a context in
 * common.
 */
public final class Scores {
  private final long stretch;
  private final long[] ends_W;
  private final int[] weights_W;
  private final SortedMap<Long, double[]> values_SW;

  private Scores(
      long stretch, long[] ends_W, int[] weights_W, SortedMap<Long, double[]> values_SW) {
    this.stretch = stretch;
    this.ends_W = ends_W;
    this.weights_W = weights_W;
    this.values_SW = values_SW;
  }

  /**
   * The values of one seed, each target the only one of its window, and a unit.
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
    return new Scores(
        1, pick(targets, order), ones, new TreeMap<>(Map.of(seed, pick(values, order))));
  }

  /**
   * The values of one seed, of windows of which neighbouring tokens were scored.
   *
   * @param seed the seed
   * @param ends for each row where its window ends, in any order
   * @param values for each row its value
   * @param stretch windows that end within so many tokens, counted from the second of the split,
   *     are one unit
   * @return the means of the windows, in their order
   */
  public static Scores ofWindows(long seed, long[] ends, double[] values, long stretch) {
    requireRows(ends, values);
    SortedMap<Long, Sum> sums = new TreeMap<>();
    for (int row = 0; row < ends.length; row++) {
      sums.computeIfAbsent(ends[row], end -> new Sum()).add(values[row]);
    }
    return new Scores(
        stretch,
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
   * Several seeds of one model, on the windows that all of them have.
   *
   * @param seeds the values of different seeds, at least one
   * @return the values together; empty if no window is common
   */
  public static Optional<Scores> together(List<Scores> seeds) {
    Optional<Scores> all = Optional.of(seeds.get(0));
    for (Scores next : seeds.subList(1, seeds.size())) {
      all = all.flatMap(before -> before.beside(next));
    }
    return all;
  }

  private Optional<Scores> beside(Scores other) {
    Match match = Match.of(ends_W, other.ends_W);
    SortedMap<Long, double[]> values = new TreeMap<>();
    values_SW.forEach((seed, values_W) -> values.put(seed, pick(values_W, match.left())));
    other.values_SW.forEach(
        (seed, values_W) -> {
          if (values.put(seed, pick(values_W, match.right())) != null) {
            throw new IllegalArgumentException("seed " + seed + " is there twice");
          }
        });
    return matched(match, values);
  }

  /**
   * What these values are above others: value by value, for the windows and the seeds that both
   * have.
   *
   * @param other what is subtracted
   * @return the differences; empty if no window or no seed is common
   */
  public Optional<Scores> minus(Scores other) {
    Match match = Match.of(ends_W, other.ends_W);
    SortedMap<Long, double[]> differences = new TreeMap<>();
    values_SW.forEach(
        (seed, values_W) -> {
          double[] subtracted_W = other.values_SW.get(seed);
          if (subtracted_W != null) {
            double[] left = pick(values_W, match.left());
            double[] right = pick(subtracted_W, match.right());
            differences.put(
                seed,
                IntStream.range(0, left.length).mapToDouble(w -> left[w] - right[w]).toArray());
          }
        });
    return matched(match, differences);
  }

  private Optional<Scores> matched(Match match, SortedMap<Long, double[]> values_SW) {
    return match.left().length == 0 || values_SW.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Scores(
                stretch,
                pick(ends_W, match.left()),
                IntStream.of(match.left()).map(w -> weights_W[w]).toArray(),
                values_SW));
  }

  /** Places in two sorted lists of windows' ends that belong together. */
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
   * How many units there are to resample.
   *
   * @return U, at least 1
   */
  public int numUnits() {
    int units = 0;
    for (int w = 0; w < ends_W.length; w++) {
      if (beginsUnit(w)) {
        units++;
      }
    }
    return units;
  }

  /** Counted from the second token of a split, the first that can be scored. */
  private boolean beginsUnit(int w) {
    return w == 0
        || stretch == 1
        || Math.floorDiv(ends_W[w] - 1, stretch) != Math.floorDiv(ends_W[w - 1] - 1, stretch);
  }

  /**
   * How many target tokens there are in all windows.
   *
   * @return N, at least U
   */
  public int numTokens() {
    return Arrays.stream(weights_W).sum();
  }

  /**
   * The seeds.
   *
   * @return each once, rising
   */
  public List<Long> seeds() {
    return List.copyOf(values_SW.keySet());
  }

  /** For each unit its tokens' sum of the means over seeds. */
  double[] sums() {
    double[] sums_U = new double[numUnits()];
    for (double[] values_W : values_SW.values()) {
      int u = -1;
      for (int w = 0; w < values_W.length; w++) {
        u += beginsUnit(w) ? 1 : 0;
        sums_U[u] += weights_W[w] * values_W[w] / values_SW.size();
      }
    }
    return sums_U;
  }

  /** For each unit the number of its tokens. */
  int[] weights() {
    int[] weights_U = new int[numUnits()];
    int u = -1;
    for (int w = 0; w < weights_W.length; w++) {
      u += beginsUnit(w) ? 1 : 0;
      weights_U[u] += weights_W[w];
    }
    return weights_U;
  }

  /**
   * The mean over tokens of each seed.
   *
   * @return S means, in the order of {@link #seeds()}
   */
  public double[] meanOfSeeds() {
    return values_SW.values().stream().mapToDouble(this::meanOverTokens).toArray();
  }

  private double meanOverTokens(double[] values_W) {
    double sum = 0;
    for (int w = 0; w < values_W.length; w++) {
      sum += weights_W[w] * values_W[w];
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
