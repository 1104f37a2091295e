package org.lengthwise.report.training;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.RunName;
import org.lengthwise.report.form.TableText;
import org.lengthwise.result.EvaluatedCheckpoint;
import org.lengthwise.result.EvaluationResult;

/** The models behind the numbers. */
final class ModelTable {
  private ModelTable() {}

  /** The scheme, with the recurrence if there is one, training length, step and seeds. */
  static TableText of(List<EvaluationResult> results) {
    Map<String, List<EvaluationResult>> byRun =
        results.stream()
            .filter(result -> !RunName.isBaseline(result.run()))
            .collect(
                Collectors.groupingBy(
                    EvaluationResult::run, LinkedHashMap::new, Collectors.toList()));
    return new TableText(
        "Models",
        List.of("run", "scheme", "T_tr", "step", "seeds"),
        byRun.values().stream().map(ModelTable::row).toList(),
        List.of(),
        List.of(),
        "llrrl");
  }

  private static List<TableText.Entry> row(List<EvaluationResult> ofRun) {
    EvaluationResult first = ofRun.get(0);
    return TableText.line(
        first.run(),
        List.of(
            scheme(first.subject()),
            Numbers.count(first.subject().trainLength()),
            distinct(ofRun, result -> Numbers.count(result.subject().step())),
            distinct(ofRun, result -> Long.toString(result.seed()))));
  }

  private static String scheme(EvaluatedCheckpoint subject) {
    return subject.scheme()
        + subject
            .knownModel()
            .map(EvaluatedCheckpoint.Model::recurrence)
            .filter(recurrence -> !recurrence.equals("none"))
            .map(recurrence -> ", " + recurrence)
            .orElse("");
  }

  private static String distinct(
      List<EvaluationResult> results, Function<EvaluationResult, String> property) {
    return results.stream().map(property).distinct().collect(Collectors.joining(" "));
  }

  /** The progress, the last losses and the learned biases of each run. */
  static TableText ofTraining(List<TrainedRun> runs) {
    return new TableText(
        "Training",
        List.of("run", "seed", "tokens", "training loss", "validation loss", "range of biases"),
        runs.stream().map(ModelTable::row).toList(),
        List.of(),
        List.of(
            "The last losses, in nats. The range of biases is that of the head whose learned table"
                + " has moved least: its largest bias minus its smallest one, at the end of the"
                + " training. In parentheses: ln(C − 1), the range that half of the attention on"
                + " one of C keys needs."),
        "rrrrrr");
  }

  private static List<TableText.Entry> row(TrainedRun run) {
    return TableText.line(
        RunName.heading(run.run()),
        List.of(
            Long.toString(run.seed()),
            last(run.training().xs(), "%,.0f"),
            last(run.training().losses(), "%.3f"),
            last(run.validation().losses(), "%.3f"),
            biases(run)));
  }

  private static String biases(TrainedRun run) {
    if (run.biasRange().isEmpty()) {
      return Numbers.MISSING;
    }
    return Numbers.of("%.2f", run.biasRange().getAsDouble())
        + run.table().map(table -> Numbers.of(" (%.2f)", table.needed())).orElse("");
  }

  private static String last(List<Double> values, String format) {
    return values.isEmpty() ? Numbers.MISSING : Numbers.of(format, values.get(values.size() - 1));
  }
}
