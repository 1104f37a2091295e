package org.lengthwise.eval.report;

import java.util.List;
import java.util.Locale;

/** How far each run was trained, and how well. */
final class TrainingTable {
  private TrainingTable() {}

  static TableText of(List<TrainedRun> runs) {
    return new TableText(
        "Training",
        List.of("run", "seed", "tokens", "training loss", "validation loss"),
        runs.stream().map(TrainingTable::row).toList(),
        List.of(),
        List.of("The last value of each, in nats."));
  }

  private static List<TableText.Entry> row(TrainedRun run) {
    return TableText.line(
        RunName.heading(run.run()),
        List.of(
            Long.toString(run.seed()),
            last(run.training().tokens(), "%,.0f"),
            last(run.training().losses(), "%.3f"),
            last(run.validation().losses(), "%.3f")));
  }

  private static String last(List<Double> values, String format) {
    return values.isEmpty()
        ? Numbers.MISSING
        : String.format(Locale.ROOT, format, values.get(values.size() - 1));
  }
}
