package org.lengthwise.report.accuracy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.TableText;
import org.lengthwise.report.form.TableText.Entry;
import org.lengthwise.report.training.TrainedRun;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.statistics.AccuracyRule;
import org.lengthwise.statistics.AccuracyRule.Level;
import org.lengthwise.statistics.Proportion;

/**
 * Tables 1 and 2 of the paper on regular languages, beside its numbers.
 *
 * <p>Each run and seed of a model is a row of results. Max is the accuracy of the best row. Avg is
 * the mean over the seeds of one run. Where a model has several runs, for example of several
 * learning rates, it is the run with the lowest training loss at the end. Training draws new
 * strings at each step, so this is a loss on unseen strings of training lengths. No choice uses a
 * test length.
 */
final class StringTables {
  private final List<AccuracyMean> means;
  private final List<TrainedRun> trained;
  private final AccuracyRule rule;
  private final PaperStrings paper = PaperStrings.load();

  /**
   * Prepares the tables.
   *
   * @param means the accuracies, also of answers
   * @param rule the rule that turns accuracies into words
   */
  StringTables(List<AccuracyMean> means, List<TrainedRun> trained, AccuracyRule rule) {
    this.means = means;
    this.trained = trained;
    this.rule = rule;
  }

  private record Key(String task, String label, StringModel model) {}

  /** The runs of each model beyond their training lengths, or up to them, task by task. */
  private Map<Key, List<AccuracyMean>> groups(boolean isBeyond) {
    return means.stream()
        .filter(mean -> mean.any().metric().equals(AccuracyResult.LABELS))
        .flatMap(mean -> mean.ranges().stream())
        .filter(range -> range.lengths().get(0) > range.trainLength() == isBeyond)
        .collect(
            Collectors.groupingBy(
                range -> new Key(range.task(), range.label(), StringModel.of(range.run(), trained)),
                LinkedHashMap::new,
                Collectors.toList()));
  }

  /** Table 1: a row for each task, draw and model; empty without lengths beyond T_tr. */
  Optional<TableText> first() {
    List<List<Entry>> rows =
        groups(true).entrySet().stream()
            .filter(group -> !group.getValue().get(0).any().hasShift())
            .map(group -> row(group.getKey(), group.getValue()))
            .toList();
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new TableText(
                "Table 1: accuracy beyond the training length",
                List.of(
                    "task",
                    "strings",
                    "model",
                    "lengths",
                    "rows",
                    "Max / Avg",
                    "mean of rows",
                    "errors of the best",
                    "constant answer",
                    "best rule",
                    "verdict"),
                rows,
                List.of(),
                firstCaption(),
                "llllrrrrrll"));
  }

  private List<Entry> row(Key key, List<AccuracyMean> runs) {
    List<AccuracyMean> seeds = runs.stream().flatMap(run -> run.bySeed().stream()).toList();
    AccuracyMean best =
        seeds.stream().max(Comparator.comparingDouble(AccuracyMean::mean)).orElseThrow();
    Proportion right = best.right();
    Optional<PaperStrings.Score> score =
        key.label().equals("uniform") ? paper.score(key.task(), key.model()) : Optional.empty();
    String average =
        chosen(runs).map(run -> Proportion.percent(run.mean())).orElse(Numbers.MISSING);
    return TableText.line(
        key.task(),
        Entry.of(key.label()),
        Entry.of(key.model().heading()),
        Entry.of(AccuracyTable.lengths(best)),
        Entry.of(Integer.toString(seeds.size())),
        new Entry(
            Proportion.percent(best.mean()) + " / " + average,
            "",
            score.map(of -> one(of.max()) + " / " + one(of.average())).orElse("")),
        Entry.of(
            Proportion.percent(
                seeds.stream().mapToDouble(AccuracyMean::mean).average().orElseThrow())),
        Entry.of(
            "%s of %s"
                .formatted(
                    Numbers.count(right.trials() - right.successes()),
                    Numbers.count(right.trials()))),
        Entry.of(Proportion.percent(constant(best))),
        Entry.of(
            best.bestRule()
                .map(rule -> Proportion.percent(rule.mean()) + ": " + rule.name())
                .orElse(Numbers.MISSING)),
        Entry.of(verdict(key.task(), best, score)));
  }

  private static double constant(AccuracyMean mean) {
    return mean.constant().orElseThrow().mean();
  }

  /** The run that Avg is about; empty if several runs have no training curves. */
  private Optional<AccuracyMean> chosen(List<AccuracyMean> runs) {
    if (runs.size() == 1) {
      return Optional.of(runs.get(0));
    }
    return runs.stream().allMatch(run -> trainingLoss(run).isPresent())
        ? runs.stream().min(Comparator.comparingDouble(run -> trainingLoss(run).getAsDouble()))
        : Optional.empty();
  }

  private OptionalDouble trainingLoss(AccuracyMean of) {
    return trained.stream()
        .filter(run -> run.run().equals(of.run()))
        .map(TrainedRun::lastLoss)
        .filter(OptionalDouble::isPresent)
        .mapToDouble(OptionalDouble::getAsDouble)
        .average();
  }

  private String verdict(String task, AccuracyMean best, Optional<PaperStrings.Score> score) {
    double constant = 100 * constant(best);
    Level ours = rule.of(100 * best.mean(), constant);
    boolean isMatched =
        ours != Level.CONSTANT
            && best.bestRule().stream().anyMatch(known -> known.mean() >= best.mean());
    return ours.words()
        + (isMatched ? ", but a rule is as good" : "")
        + score
            .map(of -> rule.of(of.max(), paper.constant(task)))
            .map(
                theirs ->
                    theirs == ours ? "; as in the paper" : "; in the paper: " + theirs.words())
            .orElse("");
  }

  private List<String> firstCaption() {
    return List.of(
        "A row is a run with one seed. Its accuracy is the mean over the lengths named. Max: the"
            + " best row. Avg: the mean over the seeds of one run, the one with the lowest loss on"
            + " its last training strings. In brackets: the paper's numbers, on lengths 42–500 and"
            + " 52–100.",
        String.format(
            Locale.ROOT,
            "Verdict, by Max: solved from %.2f on; no better than a constant answer up to %.1f"
                + " points above it; otherwise in part. Constant answer, best rule: what needs no"
                + " automaton. 100.00 means no error.",
            rule.solved(),
            rule.margin()));
  }

  /** Table 2: PARITY by the probability of b; empty if no other than 0.5 was measured. */
  Optional<TableText> second() {
    List<Double> shifts =
        means.stream().flatMap(mean -> p(mean).stream()).distinct().sorted().toList();
    if (shifts.size() < 2) {
      return Optional.empty();
    }
    List<List<Entry>> rows = new ArrayList<>();
    for (boolean isBeyond : new boolean[] {false, true}) {
      groups(isBeyond).entrySet().stream()
          .filter(group -> group.getKey().task().equals("parity_check"))
          .collect(
              Collectors.groupingBy(
                  group -> group.getKey().model(), LinkedHashMap::new, Collectors.toList()))
          .forEach(
              (model, draws) ->
                  rows.add(
                      shiftedRow(
                          model,
                          isBeyond,
                          shifts,
                          draws.stream().flatMap(draw -> draw.getValue().stream()).toList())));
    }
    List<String> header = new ArrayList<>(List.of("model", "lengths", "rows"));
    shifts.forEach(p -> header.add("p = " + p));
    return Optional.of(
        new TableText(
            "Table 2: PARITY with other probabilities of b",
            header,
            rows,
            List.of(),
            List.of(
                "Trained with p = 0.5. Accuracy in per cent, the mean over lengths, seeds and runs."
                    + " In brackets: the paper's numbers, at length 40 and at 41–500."),
            "llr" + "r".repeat(shifts.size())));
  }

  private List<Entry> shiftedRow(
      StringModel model, boolean isBeyond, List<Double> shifts, List<AccuracyMean> means) {
    List<Entry> cells = new ArrayList<>();
    cells.add(Entry.of(AccuracyTable.lengths(means.get(0))));
    cells.add(
        Entry.of(
            Long.toString(
                means.stream()
                    .flatMap(mean -> mean.seeds().stream().map(seed -> mean.run() + " " + seed))
                    .distinct()
                    .count())));
    for (double p : shifts) {
      OptionalDouble ours =
          means.stream()
              .filter(mean -> p(mean).equals(Optional.of(p)))
              .flatMap(mean -> mean.bySeed().stream())
              .mapToDouble(AccuracyMean::mean)
              .average();
      OptionalDouble theirs = paper.shifted(model, isBeyond, p);
      cells.add(
          new Entry(
              ours.isPresent() ? Proportion.percent(ours.getAsDouble()) : Numbers.MISSING,
              "",
              theirs.isPresent() ? one(theirs.getAsDouble()) : ""));
    }
    return Stream.concat(Stream.of(Entry.of(model.heading())), cells.stream()).toList();
  }

  /** The probability of b, of strings that are drawn with one. */
  private static Optional<Double> p(AccuracyMean mean) {
    return Optional.of(mean.any().strings().settings().path("p"))
        .filter(JsonNode::isNumber)
        .map(JsonNode::asDouble);
  }

  private static String one(double percent) {
    return Numbers.of("%.1f", percent);
  }
}
