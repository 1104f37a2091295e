package org.lengthwise.report.perplexity;

import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.lengthwise.result.EvaluationResult;

/**
 * {@code table.csv}: one row for each result, with numbers in full precision. Names need no quotes,
 * because they contain only letters, digits, dots, underscores and hyphens.
 */
final class CsvTable {
  private static final String HEADER =
      "run,scheme,seed,protocol,length,count,nll_mean,ppl,stderr,within_document,"
          + "scored_per_window,bits_per_byte\n";

  private CsvTable() {}

  static String of(List<EvaluationResult> results, IndividualScores scores) {
    return results.stream()
        .map(result -> row(result, scores.standardError(result)))
        .collect(Collectors.joining("", HEADER, ""));
  }

  private static String row(EvaluationResult result, OptionalDouble standardError) {
    return String.join(
            ",",
            result.run(),
            result.subject().scheme(),
            Long.toString(result.seed()),
            result.protocol().label(),
            Integer.toString(result.length()),
            Long.toString(result.sums().count()),
            Double.toString(result.sums().mean()),
            Double.toString(result.perplexity()),
            text(standardError),
            Boolean.toString(result.windows().withinDocument()),
            Integer.toString(result.windows().scoredPerWindow()),
            text(result.bitsPerByte()))
        + "\n";
  }

  private static String text(OptionalDouble value) {
    return value.isEmpty() ? "" : Double.toString(value.getAsDouble());
  }
}
