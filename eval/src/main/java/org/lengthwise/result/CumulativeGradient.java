package org.lengthwise.result;

import java.util.List;
import java.util.stream.IntStream;
import org.lengthwise.config.Checks;

/**
 * A cumulative gradient curve, averaged over samples: the share of the last position's gradient
 * that the most recent positions hold.
 *
 * @param points up to {@value #MAX_POINTS} points of the curve; the last is the whole sample with a
 *     share of 1
 * @param effective the effective receptive fields at {@link #SHARES}, computed from all positions
 * @param tenths the share of each tenth of the sample, the earliest first: the positions from
 *     floor(k T / 10) on
 */
public record CumulativeGradient(
    List<Point> points, List<EffectiveField> effective, List<Double> tenths) {
  /** The number of parts of which {@code tenths} has the shares. */
  public static final int NUM_TENTHS = 10;

  /** The shares of the gradient at which effective receptive fields are computed. */
  public static final List<Double> SHARES = List.of(0.5, 0.9, 0.99);

  /** The largest number of points; a longer curve keeps a selection. */
  public static final int MAX_POINTS = 257;

  /**
   * A point of the curve.
   *
   * @param share c, the share that these positions hold, averaged over samples
   * @param low the lower end of the 95 % band, at least 0
   * @param high the upper end of the 95 % band, at most 1
   */
  public record Point(int tokens, double share, double low, double high) {
    public Point {
      Checks.atLeast("tokens", tokens, 1);
      Checks.require(
          0 <= low && low <= share && share <= high && high <= 1,
          "points",
          "0 <= low <= share <= high <= 1",
          "%s, %s, %s".formatted(low, share, high));
    }
  }

  /**
   * An effective receptive field: the number of most recent positions that hold a share of the
   * gradient.
   *
   * @param tokens the number of tokens at which the mean curve reaches the share
   * @param low the number of tokens at which the upper end of the band reaches the share
   * @param high the number of tokens from which on the lower end of the band stays at the share or
   *     above
   */
  public record EffectiveField(double share, int tokens, int low, int high) {
    public EffectiveField {
      Checks.require(
          1 <= low && low <= tokens && tokens <= high,
          "effective",
          "1 <= low <= tokens <= high",
          "%s, %s, %s".formatted(low, tokens, high));
    }
  }

  public CumulativeGradient {
    points = List.copyOf(points);
    effective = List.copyOf(effective);
    tenths = List.copyOf(tenths);
    Checks.require(
        !points.isEmpty() && points.size() <= MAX_POINTS,
        "points",
        "1 to " + MAX_POINTS,
        points.size());
    for (int i = 1; i < points.size(); i++) {
      Point before = points.get(i - 1);
      Point point = points.get(i);
      Checks.require(
          before.tokens() < point.tokens() && before.share() <= point.share(),
          "points",
          "shares that never fall as tokens rise",
          before + ", " + point);
    }
    Point whole = points.get(points.size() - 1);
    Checks.require(whole.share() == 1, "points", "1 at the last", whole);
    List<Double> shares = effective.stream().map(EffectiveField::share).toList();
    Checks.require(shares.equals(SHARES), "effective", SHARES.toString(), shares);
    effective.forEach(
        field ->
            Checks.require(field.high() <= whole.tokens(), "effective", "within " + whole, field));
    Checks.require(tenths.size() == NUM_TENTHS, "tenths", NUM_TENTHS + " shares", tenths.size());
  }

  /** Computes the curve of measured gradients. Every sample has the same weight. */
  public static CumulativeGradient of(GradientNorms norms) {
    MeanCurve curve = MeanCurve.of(norms);
    return new CumulativeGradient(
        pointsOf(norms.length()).mapToObj(curve::point).toList(),
        SHARES.stream().map(curve::effective).toList(),
        IntStream.range(0, NUM_TENTHS).mapToObj(k -> curve.part(k, NUM_TENTHS)).toList());
  }

  public int length() {
    return points.get(points.size() - 1).tokens();
  }

  /**
   * {@return the effective receptive field at a share}
   *
   * @param share one of {@link #SHARES}
   * @throws IllegalArgumentException for any other share
   */
  public EffectiveField effective(double share) {
    return effective.stream()
        .filter(field -> field.share() == share)
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("expected one of " + SHARES + ", found " + share));
  }

  /** Half of the points are spread evenly, for a linear axis, half by ratio, for a log axis. */
  private static IntStream pointsOf(int length) {
    int half = MAX_POINTS / 2;
    IntStream even = IntStream.rangeClosed(1, half).map(i -> (int) ((long) i * length / half));
    IntStream byRatio =
        IntStream.rangeClosed(0, half)
            .map(i -> (int) Math.round(Math.pow(length, (double) i / half)));
    return IntStream.concat(even, byRatio).filter(tokens -> tokens >= 1).sorted().distinct();
  }
}
