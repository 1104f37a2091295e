package org.lengthwise.statistics;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * One value for each seed and each window, such as a negative log-likelihood. All seeds have the
 * same windows. The value of a window is the mean over its scored tokens, and its weight is their
 * number.
 *
 * <p>Windows are matched by the token at which they end, never by their index. A window that was
 * drawn twice occurs twice.
 *
 * <p>Windows are resampled in units. If one token per window is scored, each window is a unit. If
 * several are, windows that end in the same stretch of the split form one unit, because they may
 * overlap or be adjacent. No window is divided: its tokens share a document and a context.
 */
public final class Scores {
  private final long[] ends_W;

  /** The unit of each window; windows of one unit are neighbours. */
  private final long[] units_W;

  private final int[] weights_W;
  private final SortedMap<Long, double[]> values_SW;

  private Scores(
      long[] ends_W, long[] units_W, int[] weights_W, SortedMap<Long, double[]> values_SW) {
    this.ends_W = ends_W;
    this.units_W = units_W;
    this.weights_W = weights_W;
    this.values_SW = values_SW;
  }

  /**
   * {@return the values of one seed where one token per window is scored, ordered by target} Each
   * window is a unit.
   *
   * @param targets the target of each row, in any order
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
        pick(targets, order),
        LongStream.range(0, targets.length).toArray(),
        ones,
        new TreeMap<>(Map.of(seed, pick(values, order))));
  }

  /**
   * {@return the mean of each window of one seed where several neighbouring tokens per window are
   * scored, ordered by end}
   *
   * @param ends the token at which the window of each row ends, in any order
   * @param stretch the split is divided into stretches of this many tokens, from its second token
   *     on; windows that end in one stretch form a unit
   */
  public static Scores ofWindows(long seed, long[] ends, double[] values, long stretch) {
    requireRows(ends, values);
    SortedMap<Long, Sum> sums = new TreeMap<>();
    for (int row = 0; row < ends.length; row++) {
      sums.computeIfAbsent(ends[row], end -> new Sum()).add(values[row]);
    }
    long[] ends_W = sums.keySet().stream().mapToLong(Long::longValue).toArray();
    return new Scores(
        ends_W,
        // The first token that can be scored is the second of the split.
        LongStream.of(ends_W).map(end -> Math.floorDiv(end - 1, stretch)).toArray(),
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
          "expected as many values as targets, at least one, found %s and %s"
              .formatted(values.length, targets.length));
    }
  }

  /**
   * {@return the joined values of several seeds of one model, on the windows that all of them have;
   * empty if no window is common}
   */
  public static Optional<Scores> together(List<Scores> seeds) {
    Optional<Scores> all = Optional.of(seeds.get(0));
    for (Scores next : seeds.subList(1, seeds.size())) {
      all = all.flatMap(before -> before.joined(next));
    }
    return all;
  }

  private Optional<Scores> joined(Scores other) {
    Match match = Match.of(ends_W, other.ends_W);
    SortedMap<Long, double[]> values = new TreeMap<>();
    values_SW.forEach((seed, values_W) -> values.put(seed, pick(values_W, match.left())));
    other.values_SW.forEach(
        (seed, values_W) -> {
          if (values.put(seed, pick(values_W, match.right())) != null) {
            throw new IllegalArgumentException("seed " + seed + " occurs twice");
          }
        });
    return matched(match, values);
  }

  /** {@return the ends of the windows whose value, the mean over seeds, is above a limit} */
  public Set<Long> endsAbove(double limit) {
    return IntStream.range(0, ends_W.length)
        .filter(
            w ->
                values_SW.values().stream().mapToDouble(of -> of[w]).sum()
                    > limit * values_SW.size())
        .mapToObj(w -> ends_W[w])
        .collect(Collectors.toSet());
  }

  /** {@return the values of the windows that end at some tokens; empty if there are none} */
  public Optional<Scores> at(Set<Long> ends) {
    int[] places =
        IntStream.range(0, ends_W.length).filter(w -> ends.contains(ends_W[w])).toArray();
    SortedMap<Long, double[]> values = new TreeMap<>();
    values_SW.forEach((seed, values_W) -> values.put(seed, pick(values_W, places)));
    return matched(new Match(places, places), values);
  }

  /**
   * {@return the differences from other values, for the windows and the seeds that both have; empty
   * if no window or no seed is common}
   */
  public Optional<Scores> minus(Scores other) {
    return minus(other, other.values_SW);
  }

  /**
   * {@return the differences of each seed from values that depend on no seed, for the windows that
   * both have; empty if no window is common}
   */
  public Optional<Scores> minusOfEachSeed(Scores other) {
    double[] subtracted_W = other.values_SW.get(other.values_SW.firstKey());
    SortedMap<Long, double[]> repeated = new TreeMap<>();
    values_SW.keySet().forEach(seed -> repeated.put(seed, subtracted_W));
    return minus(other, repeated);
  }

  private Optional<Scores> minus(Scores other, SortedMap<Long, double[]> subtracted_SW) {
    Match match = Match.of(ends_W, other.ends_W);
    SortedMap<Long, double[]> differences = new TreeMap<>();
    values_SW.forEach(
        (seed, values_W) -> {
          double[] subtracted_W = subtracted_SW.get(seed);
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
                pick(ends_W, match.left()),
                pick(units_W, match.left()),
                IntStream.of(match.left()).map(w -> weights_W[w]).toArray(),
                values_SW));
  }

  /** The indices of equal ends in two sorted lists. */
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

  /** {@return U, the number of units to resample, at least 1} */
  public int numUnits() {
    int units = 0;
    for (int w = 0; w < ends_W.length; w++) {
      if (beginsUnit(w)) {
        units++;
      }
    }
    return units;
  }

  private boolean beginsUnit(int w) {
    return w == 0 || units_W[w] != units_W[w - 1];
  }

  /** {@return N, the number of scored tokens in all windows, at least U} */
  public int numTokens() {
    return Arrays.stream(weights_W).sum();
  }

  public List<Long> seeds() {
    return List.copyOf(values_SW.keySet());
  }

  /** For each unit the sum over its tokens of the means over seeds. */
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

  /** {@return the means over tokens of the S seeds, in the order of {@link #seeds()}} */
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

  public double mean() {
    double[] means_S = meanOfSeeds();
    return Arrays.stream(means_S).sum() / means_S.length;
  }

  /**
   * {@return the standard error of {@link #mean()} from the spread over seeds; 0 for one seed,
   * because one value has no spread} It is the sample standard deviation of the means of seeds,
   * divided by the square root of S.
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

  /**
   * {@return the standard error of {@link #mean()} from the spread over units of the means over
   * seeds; empty for a single unit, because one unit has no spread} A unit u has the sum s_u over
   * its n_u tokens. The error is that of a ratio of sums: the root of U / (U - 1) times the sum of
   * (s_u - mean n_u)^2, divided by N. If each unit is one token, this is the sample standard
   * deviation divided by the root of N.
   */
  public OptionalDouble standardErrorOverUnits() {
    double[] sums_U = sums();
    int[] tokens_U = weights();
    if (sums_U.length == 1) {
      return OptionalDouble.empty();
    }
    double mean = mean();
    double squares = 0;
    for (int u = 0; u < sums_U.length; u++) {
      double away = sums_U[u] - mean * tokens_U[u];
      squares += away * away;
    }
    return OptionalDouble.of(
        Math.sqrt(squares * sums_U.length / (sums_U.length - 1)) / numTokens());
  }
}
