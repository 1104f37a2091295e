package org.lengthwise.report.receptivefield;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.lengthwise.report.form.Groups;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.RunName;
import org.lengthwise.result.CumulativeGradient;
import org.lengthwise.result.CumulativeGradient.EffectiveField;
import org.lengthwise.result.CumulativeGradient.Point;
import org.lengthwise.result.ModelState;
import org.lengthwise.result.ReceptiveFieldResult;

/**
 * The receptive fields of one run at one length, averaged over seeds. All seeds read the same
 * samples, so the ends of the bands are averaged like the curves. The result is never narrower than
 * the band of the mean.
 *
 * @param seeds the result of each seed, at least one
 */
record ReceptiveFieldMean(List<ReceptiveFieldResult> seeds) {

  ReceptiveFieldMean {
    seeds = List.copyOf(seeds);
  }

  /**
   * Groups results by run and length. The paper's runs come first, in the order of the paper; then
   * the shortest length comes first.
   */
  static List<ReceptiveFieldMean> of(List<ReceptiveFieldResult> results) {
    record RunLength(String run, int length) {}
    return results.stream()
        .sorted(
            Comparator.comparing(ReceptiveFieldResult::run, RunName.paperFirst())
                .thenComparing(ReceptiveFieldResult::length))
        .collect(Groups.by(result -> new RunLength(result.run(), result.length())))
        .values()
        .stream()
        .map(ReceptiveFieldMean::new)
        .toList();
  }

  String run() {
    return seeds.get(0).run();
  }

  Optional<String> task() {
    return Optional.ofNullable(seeds.get(0).task());
  }

  /** The samples of all receptive fields that are compared: the task, if any, and the length. */
  Group group() {
    return new Group(task().orElse(""), length());
  }

  /**
   * Receptive fields that are compared with each other.
   *
   * @param task the task of classifiers of strings; empty for language models, which come first
   * @param length T
   */
  record Group(String task, int length) implements Comparable<Group> {
    private static final Comparator<Group> ORDER =
        Comparator.comparing(Group::task).thenComparing(Group::length);

    @Override
    public int compareTo(Group other) {
      return ORDER.compare(this, other);
    }

    String words() {
      return task.isEmpty()
          ? Numbers.count(length) + " tokens"
          : "%s symbols of %s".formatted(Numbers.count(length), task);
    }

    String file() {
      return task.isEmpty() ? "" + length : task + "-" + length;
    }
  }

  int length() {
    return seeds.get(0).length();
  }

  int trainLength() {
    return seeds.get(0).subject().trainLength();
  }

  int theoretical() {
    return seeds.get(0).theoretical();
  }

  /** An effective receptive field and its interval in tokens: mean, low and high. */
  double[] effective(ModelState state, double share) {
    List<EffectiveField> fields =
        seeds.stream().map(result -> result.curve(state).effective(share)).toList();
    return new double[] {
      mean(fields, EffectiveField::tokens),
      mean(fields, EffectiveField::low),
      mean(fields, EffectiveField::high)
    };
  }

  /** The number of tokens at each point of the curves, in ascending order. */
  double[] tokens() {
    return seeds.get(0).trained().points().stream().mapToDouble(Point::tokens).toArray();
  }

  /** The curve or one end of its band, at the points of {@link #tokens()}. */
  double[] curve(ModelState state, ToDoubleFunction<Point> part) {
    List<CumulativeGradient> curves = seeds.stream().map(result -> result.curve(state)).toList();
    return IntStream.range(0, curves.get(0).points().size())
        .mapToDouble(i -> mean(curves, curve -> part.applyAsDouble(curve.points().get(i))))
        .toArray();
  }

  /** The share of each tenth of the sample. */
  List<Double> tenths(ModelState state) {
    List<List<Double>> ofSeeds =
        seeds.stream().map(result -> result.curve(state).tenths()).toList();
    return IntStream.range(0, CumulativeGradient.NUM_TENTHS)
        .mapToObj(k -> mean(ofSeeds, tenths -> tenths.get(k)))
        .toList();
  }

  private static <T> double mean(List<T> values, ToDoubleFunction<T> number) {
    return values.stream().mapToDouble(number).average().orElseThrow();
  }
}
