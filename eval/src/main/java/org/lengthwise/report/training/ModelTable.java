package org.lengthwise.report.training;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.lengthwise.report.form.Columns;
import org.lengthwise.report.form.Groups;
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
    return new Columns<List<EvaluationResult>>()
        .words("run", ofRun -> ofRun.get(0).run())
        .words("scheme", ofRun -> scheme(ofRun.get(0).subject()))
        .number("T_tr", ofRun -> Numbers.count(ofRun.get(0).subject().trainLength()))
        .number("step", ofRun -> distinct(ofRun, one -> Numbers.count(one.subject().step())))
        .words("seeds", ofRun -> distinct(ofRun, one -> Long.toString(one.seed())))
        .of(
            "Models",
            results.stream()
                .filter(result -> !RunName.isBaseline(result.run()))
                .collect(Groups.by(EvaluationResult::run))
                .values()
                .stream()
                .toList(),
            List.of());
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
    Columns<TrainedRun> columns =
        new Columns<TrainedRun>()
            .number("run", run -> RunName.heading(run.run()))
            .number("seed", TrainedRun::seed)
            .number("tokens", run -> last(run.training().xs(), "%,.0f"));
    if (runs.stream().anyMatch(run -> run.source().isPresent())) {
      columns
          .words("starts from", TrainedRun::startsFrom)
          .number("tokens of all stages", TrainedRun::tokens);
    }
    return columns
        .number("training loss", run -> last(run.training().losses(), "%.3f"))
        .number("validation loss", run -> last(run.validation().losses(), "%.3f"))
        .number("range of biases", ModelTable::biases)
        .of(
            "Training",
            runs,
            List.of(
                "The last losses, in nats. The range of biases is that of the head whose learned"
                    + " table has moved least: its largest bias minus its smallest one, at the end"
                    + " of the training. In parentheses: ln(C − 1), the range that half of the"
                    + " attention on one of C keys needs."));
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
