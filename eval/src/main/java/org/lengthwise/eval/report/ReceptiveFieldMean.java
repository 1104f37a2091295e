package org.lengthwise.eval.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.eval.result.CumulativeGradient;
import org.lengthwise.eval.result.CumulativeGradient.EffectiveField;
import org.lengthwise.eval.result.CumulativeGradient.Point;
import org.lengthwise.eval.result.ModelState;
import org.lengthwise.eval.result.ReceptiveFieldResult;

/**
 * The receptive fields of one run at one length, averaged over seeds. All seeds read the same
 * chunks, so the ends of their bands are averaged like their curves: that is never narrower than
 * the band of the mean.
 *
 * @param seeds the result of each seed, at least one
 */
record ReceptiveFieldMean(List<ReceptiveFieldResult> seeds) {

  /** Copies the list. */
  ReceptiveFieldMean {
    seeds = List.copyOf(seeds);
  }

  /**
   * Groups results by run, the paper's first and in its order, and length, the shortest first.
   *
   * @throws DataFormatException if two different results are of one run, seed and length
   */
  static List<ReceptiveFieldMean> of(List<ReceptiveFieldResult> results) {
    record RunLength(String run, int length) {}
    Map<RunLength, List<ReceptiveFieldResult>> groups = new LinkedHashMap<>();
    results.stream()
        .distinct()
        .sorted(
            Comparator.comparing(ReceptiveFieldResult::run, RunName.paperFirst())
                .thenComparing(ReceptiveFieldResult::length))
        .forEach(
            result ->
                groups
                    .computeIfAbsent(
                        new RunLength(result.run(), result.length()), key -> new ArrayList<>())
                    .add(result));
    groups.values().forEach(ReceptiveFieldMean::requireDistinctSeeds);
    return groups.values().stream().map(ReceptiveFieldMean::new).toList();
  }

  private static void requireDistinctSeeds(List<ReceptiveFieldResult> ofRun) {
    Map<Long, ReceptiveFieldResult> bySeed = new LinkedHashMap<>();
    for (ReceptiveFieldResult result : ofRun) {
      ReceptiveFieldResult first = bySeed.putIfAbsent(result.seed(), result);
      if (first != null) {
        throw new DataFormatException(
            "receptive field of " + result.checkpoint(),
            "one result for each run, seed and length",
            "another of %s, seed %d, at %d, of %s"
                .formatted(result.run(), result.seed(), result.length(), first.checkpoint()),
            "name only folders that belong together with --results");
      }
    }
  }

  String run() {
    return seeds.get(0).run();
  }

  int length() {
    return seeds.get(0).length();
  }

  int trainLength() {
    return seeds.get(0).trainLength();
  }

  int theoretical() {
    return seeds.get(0).theoretical();
  }

  /** An effective receptive field and its interval: tokens, low and high. */
  double[] effective(ModelState state, double share) {
    List<EffectiveField> fields =
        seeds.stream().map(result -> result.curve(state).effective(share)).toList();
    return new double[] {
      mean(fields, EffectiveField::tokens),
      mean(fields, EffectiveField::low),
      mean(fields, EffectiveField::high)
    };
  }

  /** How many tokens each point of the curves counts, ascending. */
  double[] tokens() {
    return seeds.get(0).trained().points().stream().mapToDouble(Point::tokens).toArray();
  }

  /** The curve, or one end of its band, at each of {@link #tokens()}. */
  double[] curve(ModelState state, ToDoubleFunction<Point> part) {
    List<CumulativeGradient> curves = seeds.stream().map(result -> result.curve(state)).toList();
    return IntStream.range(0, curves.get(0).points().size())
        .mapToDouble(i -> mean(curves, curve -> part.applyAsDouble(curve.points().get(i))))
        .toArray();
  }

  private static <T> double mean(List<T> values, ToDoubleFunction<T> number) {
    return values.stream().mapToDouble(number).average().orElseThrow();
  }
}
