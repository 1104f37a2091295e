package org.lengthwise.report;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.lengthwise.result.ReceptiveFieldResult;
import org.lengthwise.result.StatesResult;

/**
 * Everything that a report shows.
 *
 * @param comparison the results
 * @param statistics the tables with their intervals, one for each protocol
 * @param receptiveFields the receptive fields
 * @param accuracies the accuracies on strings
 * @param states the outputs of classifiers
 * @param trained the trained runs that were found, one for each run and seed
 * @param config the settings
 */
record ReportContent(
    Comparison comparison,
    List<TableStatistics> statistics,
    List<ReceptiveFieldResult> receptiveFields,
    List<AccuracyMean> accuracies,
    List<StatesResult> states,
    List<TrainedRun> trained,
    ReportConfig config) {
  /** Copies the lists. */
  ReportContent {
    statistics = List.copyOf(statistics);
    receptiveFields = List.copyOf(receptiveFields);
    accuracies = List.copyOf(accuracies);
    states = List.copyOf(states);
    trained = List.copyOf(trained);
  }

  /**
   * C of a RegularGPT run: from its description, or from its name if its folder was not found.
   *
   * @return the chunk; empty for other schemes
   */
  OptionalInt chunk(String run) {
    return trained.stream()
        .filter(one -> one.run().equals(run))
        .findFirst()
        .map(TrainedRun::chunk)
        .orElseGet(() -> RunName.chunk(run));
  }

  /** Each run once. The index of a run is its look in all charts. */
  List<String> runs() {
    return Stream.of(
            comparison.columns().stream().map(Column::run),
            receptiveFields.stream().map(ReceptiveFieldResult::run).sorted(RunName.paperFirst()),
            accuracies.stream().map(AccuracyMean::run),
            states.stream().map(StatesResult::run).sorted(RunName.paperFirst()),
            trained.stream().map(TrainedRun::run))
        .flatMap(runs -> runs)
        .distinct()
        .toList();
  }
}
