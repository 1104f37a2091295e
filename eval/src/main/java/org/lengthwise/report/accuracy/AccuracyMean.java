package org.lengthwise.report.accuracy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.report.form.RunName;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.AccuracyResult.Draw;
import org.lengthwise.result.AccuracyResult.RuleErrors;
import org.lengthwise.result.Located;
import org.lengthwise.statistics.Proportion;
import org.lengthwise.statistics.RecallVerdict;

/**
 * The accuracy of all seeds of a run on the strings of one task and draw, at some lengths.
 *
 * @param results a result for each seed and length, at least one
 */
record AccuracyMean(String run, String task, Draw draw, List<AccuracyResult> results) {

  /** Copies the results. */
  AccuracyMean {
    results = List.copyOf(results);
  }

  private record Key(String task, Draw draw, String run) {}

  private record Cell(Key key, long seed, int length) {}

  /**
   * Groups results by task, draw and run, the runs of the paper first.
   *
   * @throws DataFormatException if two results of one run, seed, draw and length differ
   */
  static List<AccuracyMean> of(List<Located<AccuracyResult>> found) {
    Map<Cell, Located<AccuracyResult>> cells = new LinkedHashMap<>();
    for (Located<AccuracyResult> result : found) {
      Located<AccuracyResult> first = cells.putIfAbsent(cell(result.value()), result);
      if (first != null && !agree(first.value(), result.value())) {
        throw new DataFormatException(
            result.place(),
            "one accuracy for each run, seed, draw and length",
            "another one in %s (%s)".formatted(first.place(), result.value().run()),
            "with --results, name only folders that belong together");
      }
    }
    return cells.values().stream()
        .map(Located::value)
        .collect(
            Collectors.groupingBy(
                result -> cell(result).key(), LinkedHashMap::new, Collectors.toList()))
        .entrySet()
        .stream()
        .map(
            group ->
                new AccuracyMean(
                    group.getKey().run(),
                    group.getKey().task(),
                    group.getKey().draw(),
                    group.getValue()))
        .sorted(
            Comparator.comparing(AccuracyMean::task)
                .thenComparing(mean -> mean.draw().label())
                .thenComparing(AccuracyMean::run, RunName.paperFirst()))
        .toList();
  }

  private static Cell cell(AccuracyResult result) {
    Key key = new Key(result.strings().task(), result.strings().draw(), result.run());
    return new Cell(key, result.subject().seed(), result.strings().length());
  }

  private static boolean agree(AccuracyResult first, AccuracyResult second) {
    return first.errors() == second.errors()
        && first.strings().equals(second.strings())
        && Objects.equals(first.answerTokens(), second.answerTokens());
  }

  /** T_tr of the run. */
  int trainLength() {
    return results.get(0).subject().trainLength();
  }

  /** The lengths in ascending order. */
  List<Integer> lengths() {
    return results.stream().map(one -> one.strings().length()).distinct().sorted().toList();
  }

  /** The seeds of the training. */
  List<Long> seeds() {
    return results.stream().map(one -> one.subject().seed()).distinct().sorted().toList();
  }

  /** The results up to T_tr, and those beyond, each if there are any. */
  List<AccuracyMean> ranges() {
    List<AccuracyMean> ranges = new ArrayList<>();
    for (boolean beyond : new boolean[] {false, true}) {
      List<AccuracyResult> part =
          results.stream().filter(one -> one.strings().length() > trainLength() == beyond).toList();
      if (!part.isEmpty()) {
        ranges.add(new AccuracyMean(run, task, draw, part));
      }
    }
    return ranges;
  }

  /** The results of one length. */
  AccuracyMean at(int length) {
    return only(result -> result.strings().length(), length);
  }

  private <T> AccuracyMean only(Function<AccuracyResult, T> property, T value) {
    return new AccuracyMean(
        run,
        task,
        draw,
        results.stream().filter(one -> property.apply(one).equals(value)).toList());
  }

  /** The mean over lengths and seeds of the share of right labels. */
  double mean() {
    return results.stream().mapToDouble(AccuracyResult::accuracy).average().orElseThrow();
  }

  /** The results of each seed. */
  List<AccuracyMean> bySeed() {
    return seeds().stream().map(seed -> only(result -> result.subject().seed(), seed)).toList();
  }

  /** The seeds that have learned the task; all of them if no length up to T_tr was measured. */
  Set<Long> learned() {
    return ranges().get(0).bySeed().stream()
        .filter(
            seed -> seed.lengths().get(0) > trainLength() || RecallVerdict.isEnough(seed.mean()))
        .flatMap(seed -> seed.seeds().stream())
        .collect(Collectors.toSet());
  }

  /** The mean over lengths of the best seed. */
  double bestSeed() {
    return bySeed().stream().mapToDouble(AccuracyMean::mean).max().orElseThrow();
  }

  /** The right labels among the strings of all seeds and lengths. */
  Proportion right() {
    long count = results.stream().mapToLong(one -> one.strings().count()).sum();
    long errors = results.stream().mapToLong(AccuracyResult::errors).sum();
    return new Proportion(count - errors, count);
  }

  /** Whether these are answers of language models, which have no labels. */
  boolean areAnswers() {
    return results.stream().allMatch(one -> one.answerTokens() != null);
  }

  /** The share of right tokens of answers, the mean over lengths and seeds. */
  double tokenShare() {
    return mean(AccuracyMean::tokenAccuracy);
  }

  /** The share of right tokens of the answers of one seed at one length. */
  static double tokenAccuracy(AccuracyResult result) {
    return Objects.requireNonNull(result.answerTokens(), "no answers").accuracy();
  }

  /** The same as a rounded number of answers: tokens of one answer are not independent. */
  Proportion rightTokens() {
    long answers = right().trials();
    return new Proportion(Math.round(tokenShare() * answers), answers);
  }

  /**
   * The mean over lengths and seeds of the constant answer that is right most often; not a number
   * for answers.
   */
  double constant() {
    if (areAnswers()) {
      return Double.NaN;
    }
    int numLabels = results.get(0).strings().labels().size();
    return IntStream.range(0, numLabels)
        .mapToDouble(
            label ->
                mean(one -> (double) one.strings().labels().get(label) / one.strings().count()))
        .max()
        .orElseThrow();
  }

  /** The rule without states that is right most often, if the task has rules. */
  Optional<RuleScore> bestRule() {
    return IntStream.range(0, results.get(0).strings().rules().size())
        .mapToObj(
            i ->
                new RuleScore(
                    results.get(0).strings().rules().get(i).rule(),
                    mean(one -> right(one.strings().rules().get(i), one))))
        .max(Comparator.comparingDouble(RuleScore::mean));
  }

  /** A rule in words, and its accuracy: the mean over lengths and seeds. */
  record RuleScore(String rule, double mean) {}

  static double right(RuleErrors rule, AccuracyResult result) {
    return 1 - (double) rule.errors() / result.strings().count();
  }

  private double mean(Function<AccuracyResult, Double> share) {
    return results.stream().mapToDouble(share::apply).average().orElseThrow();
  }
}
