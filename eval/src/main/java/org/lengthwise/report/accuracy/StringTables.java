package org.lengthwise.report.accuracy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.lengthwise.report.form.Columns;
import org.lengthwise.report.form.Groups;
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
            Groups.by(
                range ->
                    new Key(range.task(), range.label(), StringModel.of(range.run(), trained))));
  }

  /** Table 1: a row for each task, draw and model; empty without lengths beyond T_tr. */
  Optional<TableText> first() {
    List<Row> rows =
        groups(true).entrySet().stream()
            .filter(group -> !group.getValue().get(0).any().strings().hasShift())
            .map(group -> row(group.getKey(), group.getValue()))
            .toList();
    Columns<Row> columns =
        new Columns<Row>()
            .words("task", row -> row.key.task())
            .words("strings", row -> row.key.label())
            .words("model", row -> row.key.model().heading())
            .words("lengths", row -> AccuracyTable.lengths(row.best))
            .number("rows", row -> row.seeds.size())
            .number("Max / Avg", this::maxAndAverage)
            .number(
                "mean of rows",
                row ->
                    Proportion.percent(
                        row.seeds.stream().mapToDouble(AccuracyMean::mean).average().orElseThrow()))
            .number("errors of the best", row -> AccuracyTable.errors(row.best.right()))
            .number("constant answer", row -> Proportion.percent(constant(row.best)))
            .words("best rule", row -> AccuracyTable.bestRule(row.best))
            .words("verdict", row -> verdict(row.key.task(), row.best, row.paper));
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(
            columns.of("Table 1: accuracy beyond the training length", rows, firstCaption()));
  }

  /** The runs of a model on a task, each with each seed, and the paper's numbers. */
  private record Row(
      Key key,
      List<AccuracyMean> runs,
      List<AccuracyMean> seeds,
      AccuracyMean best,
      Optional<PaperStrings.Score> paper) {}

  private Row row(Key key, List<AccuracyMean> runs) {
    List<AccuracyMean> seeds = runs.stream().flatMap(run -> run.bySeed().stream()).toList();
    return new Row(
        key,
        runs,
        seeds,
        seeds.stream().max(Comparator.comparingDouble(AccuracyMean::mean)).orElseThrow(),
        key.label().equals("uniform") ? paper.score(key.task(), key.model()) : Optional.empty());
  }

  private Entry maxAndAverage(Row row) {
    String average =
        chosen(row.runs).map(run -> Proportion.percent(run.mean())).orElse(Numbers.MISSING);
    return new Entry(
        Proportion.percent(row.best.mean()) + " / " + average,
        "",
        row.paper.map(of -> one(of.max()) + " / " + one(of.average())).orElse(""));
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
    List<Shifted> rows = new ArrayList<>();
    for (boolean isBeyond : new boolean[] {false, true}) {
      groups(isBeyond).entrySet().stream()
          .filter(group -> group.getKey().task().equals("parity_check"))
          .collect(Groups.by(group -> group.getKey().model()))
          .forEach(
              (model, draws) ->
                  rows.add(
                      new Shifted(
                          model,
                          isBeyond,
                          draws.stream().flatMap(draw -> draw.getValue().stream()).toList())));
    }
    Columns<Shifted> columns =
        new Columns<Shifted>()
            .words("model", row -> row.model.heading())
            .words("lengths", row -> AccuracyTable.lengths(row.means.get(0)))
            .number(
                "rows",
                row ->
                    row.means.stream()
                        .flatMap(mean -> mean.seeds().stream().map(seed -> mean.run() + " " + seed))
                        .distinct()
                        .count());
    shifts.forEach(p -> columns.number("p = " + p, row -> shifted(row, p)));
    return Optional.of(
        columns.of(
            "Table 2: PARITY with other probabilities of b",
            rows,
            List.of(
                "Trained with p = 0.5. Accuracy in per cent, the mean over lengths, seeds and runs."
                    + " In brackets: the paper's numbers, at length 40 and at 41–500.")));
  }

  private record Shifted(StringModel model, boolean isBeyond, List<AccuracyMean> means) {}

  private Entry shifted(Shifted row, double p) {
    OptionalDouble ours =
        row.means.stream()
            .filter(mean -> p(mean).equals(Optional.of(p)))
            .flatMap(mean -> mean.bySeed().stream())
            .mapToDouble(AccuracyMean::mean)
            .average();
    OptionalDouble theirs = paper.shifted(row.model, row.isBeyond, p);
    return new Entry(
        ours.isPresent() ? Proportion.percent(ours.getAsDouble()) : Numbers.MISSING,
        "",
        theirs.isPresent() ? one(theirs.getAsDouble()) : "");
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
