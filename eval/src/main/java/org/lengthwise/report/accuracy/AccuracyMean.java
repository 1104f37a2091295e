package org.lengthwise.report.accuracy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.plot.HeatMap;
import org.lengthwise.report.form.Groups;
import org.lengthwise.report.form.RunName;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.AccuracyResult.Baseline;
import org.lengthwise.result.Located;
import org.lengthwise.result.RecallVerdict;
import org.lengthwise.statistics.Interval;
import org.lengthwise.statistics.Proportion;

/**
 * Results that belong together, such as those of all seeds of a run on the strings of one task and
 * draw, at some lengths.
 *
 * @param results at least one
 */
record AccuracyMean(List<AccuracyResult> results) {
  AccuracyMean {
    results = List.copyOf(results);
  }

  /**
   * The different results.
   *
   * @throws DataFormatException if two results of one run, seed, setting and length differ, or if a
   *     seed of a run has two training steps
   */
  static List<AccuracyResult> distinct(List<Located<AccuracyResult>> found) {
    Groups.requireOne(
        found,
        "one training step for each seed of a run",
        one -> List.of(one.metric(), one.strings().task(), one.run(), one.subject().seed()),
        one -> one.subject().step());
    Groups.requireOne(
        found,
        "one training length for each run",
        one -> List.of(one.metric(), one.strings().task(), one.run()),
        one -> one.subject().trainLength());
    Map<AccuracyResult.Key, Located<AccuracyResult>> cells = new LinkedHashMap<>();
    for (Located<AccuracyResult> result : found) {
      Located<AccuracyResult> first = cells.putIfAbsent(result.value().key(), result);
      if (first != null && !first.value().agrees(result.value())) {
        throw new DataFormatException(
            result.place(),
            "one accuracy for each run, seed, setting and length",
            "another one in %s (%s)".formatted(first.place(), result.value().run()),
            "with --results, name only folders that belong together");
      }
    }
    return cells.values().stream().map(Located::value).toList();
  }

  private record Key(String task, Object settings, String run) {}

  /** Groups results by task, settings and run, the runs of the paper first. */
  static List<AccuracyMean> of(List<AccuracyResult> results) {
    return new AccuracyMean(results)
        .by(one -> new Key(one.strings().task(), one.strings().settings(), one.run())).stream()
            .sorted(
                Comparator.comparing(AccuracyMean::task)
                    .thenComparing(AccuracyMean::label)
                    .thenComparing(AccuracyMean::run, RunName.paperFirst()))
            .toList();
  }

  /** The results with each value of a property, in the order in which values occur. */
  <K> List<AccuracyMean> by(Function<AccuracyResult, K> property) {
    return results.stream().collect(Groups.by(property)).values().stream()
        .map(AccuracyMean::new)
        .toList();
  }

  AccuracyMean where(Predicate<AccuracyResult> condition) {
    return new AccuracyMean(results.stream().filter(condition).toList());
  }

  /** Any of the results, whose properties all results share. */
  AccuracyResult any() {
    return results.get(0);
  }

  String run() {
    return any().run();
  }

  String task() {
    return any().strings().task();
  }

  String label() {
    return any().label();
  }

  /** T_tr of the run. */
  int trainLength() {
    return any().subject().trainLength();
  }

  private <K> List<K> all(Function<AccuracyResult, K> property) {
    return results.stream().map(property).distinct().sorted().toList();
  }

  List<Integer> trainLengths() {
    return all(one -> one.subject().trainLength());
  }

  List<Integer> lengths() {
    return all(AccuracyResult::length);
  }

  List<Long> seeds() {
    return all(one -> one.subject().seed());
  }

  /** The depths of a needle in ascending order; none for strings without needles. */
  Set<Double> depths() {
    return results.stream()
        .filter(one -> one.strings().settings().has("depth"))
        .map(AccuracyMean::depth)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static double depth(AccuracyResult one) {
    return one.strings().settings().path("depth").asDouble(Double.NaN);
  }

  /**
   * A number of a model by length and depth of a needle. The map has all lengths and depths of
   * these results.
   *
   * @param full the number of the strongest colour
   * @param isGrey whether nothing follows from the numbers
   */
  HeatMap map(
      String name,
      String title,
      String x,
      AccuracyMean model,
      ToDoubleFunction<AccuracyResult> number,
      double full,
      boolean isGrey) {
    Function<Double, List<Double>> row =
        depth -> lengths().stream().map(length -> model.at(length, depth).first(number)).toList();
    return new HeatMap(
        name,
        title,
        x,
        "depth",
        lengths().stream().map(String::valueOf).toList(),
        depths().stream().map(String::valueOf).toList(),
        depths().stream().map(row).toList(),
        full,
        isGrey);
  }

  private double first(ToDoubleFunction<AccuracyResult> number) {
    return results.stream().mapToDouble(number).findFirst().orElse(Double.NaN);
  }

  /** The results up to T_tr, and those beyond, each if there are any. */
  List<AccuracyMean> ranges() {
    List<AccuracyMean> ranges = new ArrayList<>();
    for (boolean beyond : new boolean[] {false, true}) {
      AccuracyMean part = where(one -> one.length() > trainLength() == beyond);
      if (!part.results.isEmpty()) {
        ranges.add(part);
      }
    }
    return ranges;
  }

  AccuracyMean at(int length) {
    return where(one -> one.length() == length);
  }

  AccuracyMean at(int length, double depth) {
    return where(one -> one.length() == length && depth(one) == depth);
  }

  List<AccuracyMean> bySeed() {
    return seeds().stream().map(seed -> where(one -> one.subject().seed() == seed)).toList();
  }

  /** The mean over lengths and seeds of the share of right strings. */
  double mean() {
    return mean(AccuracyResult::accuracy);
  }

  double mean(Function<AccuracyResult, Double> number) {
    return results.stream().mapToDouble(number::apply).average().orElseThrow();
  }

  /** The seeds that have learned the task; all of them if no length up to T_tr was measured. */
  Set<Long> learned() {
    return ranges().get(0).bySeed().stream()
        .filter(
            seed -> seed.lengths().get(0) > trainLength() || RecallVerdict.isEnough(seed.mean()))
        .flatMap(seed -> seed.seeds().stream())
        .collect(Collectors.toSet());
  }

  double bestSeed() {
    return bySeed().stream().mapToDouble(AccuracyMean::mean).max().orElseThrow();
  }

  /** The successes of a share among the trials of all seeds and lengths. */
  Proportion right(int share) {
    return new Proportion(
        results.stream().mapToLong(one -> one.share(share).right()).sum(),
        results.stream().mapToLong(one -> one.share(share).count()).sum());
  }

  /** The right strings among those of all seeds and lengths. */
  Proportion right() {
    return right(0);
  }

  boolean areAnswers() {
    return any().metric().equals(AccuracyResult.ANSWERS);
  }

  /** The share of right tokens of answers, the mean over lengths and seeds. */
  double tokenShare() {
    return mean(one -> one.share(1).accuracy());
  }

  /** Wilson's interval of {@link #tokenShare()}, with the number of strings. */
  Interval tokenInterval(double confidence) {
    long strings = results.stream().mapToLong(one -> one.strings().count()).sum();
    return Proportion.interval(tokenShare(), strings, confidence);
  }

  /** The same as a rounded number of answers: tokens of one answer are not independent. */
  Proportion rightTokens() {
    long answers = right().trials();
    return new Proportion(Math.round(tokenShare() * answers), answers);
  }

  /** What is known without a model, and its accuracy: the mean over lengths and seeds. */
  record Known(String name, double mean) {}

  /** The constant answer that is right most often, if there are labels. */
  Optional<Known> constant() {
    return best(true);
  }

  /** The rule without states that is right most often, if the task has rules. */
  Optional<Known> bestRule() {
    return best(false);
  }

  private Optional<Known> best(boolean isConstant) {
    List<Baseline> known = any().baselines();
    return IntStream.range(0, known.size())
        .filter(i -> known.get(i).isConstant() == isConstant)
        .mapToObj(
            i -> new Known(known.get(i).name(), mean(one -> one.of(one.baselines().get(i), 0))))
        .max(Comparator.comparingDouble(Known::mean));
  }
}
