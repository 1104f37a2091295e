package org.lengthwise.eval.report;

import java.util.List;
import java.util.stream.Stream;
import org.lengthwise.eval.result.ReceptiveFieldResult;

/**
 * Everything that a report shows.
 *
 * @param comparison the results
 * @param statistics the tables with their intervals, one for each protocol
 * @param receptiveFields the receptive fields
 * @param trained what is known of the training, a run and seed each
 * @param config what decides the conclusions
 */
record ReportContent(
    Comparison comparison,
    List<TableStatistics> statistics,
    List<ReceptiveFieldResult> receptiveFields,
    List<TrainedRun> trained,
    ReportConfig config) {
  /** Copies the lists. */
  ReportContent {
    statistics = List.copyOf(statistics);
    receptiveFields = List.copyOf(receptiveFields);
    trained = List.copyOf(trained);
  }

  /** Every run once; its place decides its colour, dashes and marker in every plot. */
  List<String> runs() {
    return Stream.of(
            comparison.columns().stream().map(Column::run),
            receptiveFields.stream().map(ReceptiveFieldResult::run).sorted(RunName.paperFirst()),
            trained.stream().map(TrainedRun::run))
        .flatMap(runs -> runs)
        .distinct()
        .toList();
  }
}
