package org.lengthwise.eval.report;

import java.util.List;
import java.util.stream.Collectors;
import org.lengthwise.eval.result.EvaluationResult;

/**
 * {@code table.csv}: one row for each result, numbers in full precision. Names need no quoting,
 * because a result's names hold only letters, digits, dots, underscores and hyphens.
 */
final class CsvTable {
  private static final String HEADER =
      "run,scheme,seed,protocol,length,count,nll_mean,ppl,stderr,within_document,scored_per_window\n";

  private CsvTable() {}

  static String of(List<EvaluationResult> results) {
    return results.stream().map(CsvTable::row).collect(Collectors.joining("", HEADER, ""));
  }

  private static String row(EvaluationResult result) {
    return String.join(
            ",",
            result.run(),
            result.scheme(),
            Long.toString(result.seed()),
            result.protocol().label(),
            Integer.toString(result.length()),
            Long.toString(result.count()),
            Double.toString(result.nllMean()),
            Double.toString(result.perplexity()),
            // One target alone shows no spread: an empty field, not a number.
            result.count() == 1 ? "" : Double.toString(result.standardError()),
            Boolean.toString(result.withinDocument()),
            Integer.toString(result.scoredPerWindow()))
        + "\n";
  }
}
