package org.lengthwise.eval.result;

import java.util.List;
import java.util.stream.IntStream;

/**
 * A cumulative gradient curve, averaged over chunks: what share of the last position's gradient the
 * most recent positions hold, and how many of them it takes for some shares.
 *
 * @param points the curve at up to {@value #MAX_POINTS} places, the last of which is the whole
 *     chunk, where the share is 1
 * @param effective the effective receptive fields at {@link #SHARES}, read from the whole curve,
 *     not from its points alone
 */
public record CumulativeGradient(List<Point> points, List<EffectiveField> effective) {
  /** The shares of the gradient that effective receptive fields are given for. */
  public static final List<Double> SHARES = List.of(0.5, 0.9, 0.99);

  /** The most points of a curve: every position of a short one, a choice of a long one. */
  public static final int MAX_POINTS = 257;

  /**
   * A place on the curve.
   *
   * @param tokens how many of the most recent positions are counted, at least 1
   * @param share c, the mean over chunks of what they hold
   * @param low the lower end of the mean's 95 % band, at least 0
   * @param high the upper end, at most 1
   */
  public record Point(int tokens, double share, double low, double high) {
    /** Checks the values. */
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
   * An effective receptive field: how many of the most recent positions it takes to reach a share
   * of the gradient.
   *
   * @param share the share
   * @param tokens where the mean curve reaches it
   * @param low where the upper end of the band reaches it
   * @param high from where on the lower end of the band stays above it
   */
  public record EffectiveField(double share, int tokens, int low, int high) {
    /** Checks the values. */
    public EffectiveField {
      Checks.require(
          1 <= low && low <= tokens && tokens <= high,
          "effective",
          "1 <= low <= tokens <= high",
          "%d, %d, %d".formatted(low, tokens, high));
    }
  }

  /** Checks that the curve is one, and that the fields are those of the usual shares. */
  public CumulativeGradient {
    points = List.copyOf(points);
    effective = List.copyOf(effective);
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
  }

  /**
   * The curve of measured gradients, every chunk of the same weight.
   *
   * @param norms the gradients of at least two chunks
   * @return the curve with its band and its effective receptive fields
   */
  public static CumulativeGradient of(GradientNorms norms) {
    MeanCurve curve = MeanCurve.of(norms);
    return new CumulativeGradient(
        places(norms.length()).mapToObj(curve::point).toList(),
        SHARES.stream().map(curve::effective).toList());
  }

  /**
   * The length of the chunks.
   *
   * @return T
   */
  public int length() {
    return points.get(points.size() - 1).tokens();
  }

  /**
   * The effective receptive field at a share.
   *
   * @param share one of {@link #SHARES}
   * @return the field
   * @throws IllegalArgumentException for any other share
   */
  public EffectiveField effective(double share) {
    return effective.stream()
        .filter(field -> field.share() == share)
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("expected one of " + SHARES + ", found " + share));
  }

  /** Half of the places evenly spread, for a linear axis, half by ratio, for a logarithmic one. */
  private static IntStream places(int length) {
    int half = MAX_POINTS / 2;
    IntStream even = IntStream.rangeClosed(1, half).map(i -> (int) ((long) i * length / half));
    IntStream byRatio =
        IntStream.rangeClosed(0, half)
            .map(i -> (int) Math.round(Math.pow(length, (double) i / half)));
    return IntStream.concat(even, byRatio).filter(tokens -> tokens >= 1).sorted().distinct();
  }
}
