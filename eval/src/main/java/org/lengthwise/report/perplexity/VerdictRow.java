package org.lengthwise.report.perplexity;

import java.util.stream.Stream;

/**
 * A verdict in {@code report.json}.
 *
 * @param outcome the outcome by its name
 */
public record VerdictRow(String protocol, String run, String outcome, String verdict) {
  static Stream<VerdictRow> of(TableStatistics statistics) {
    return statistics.verdicts().entrySet().stream()
        .map(
            verdict ->
                new VerdictRow(
                    statistics.table().protocol().label(),
                    verdict.getKey().run(),
                    verdict.getValue().outcome().label(),
                    verdict.getValue().words()));
  }
}
