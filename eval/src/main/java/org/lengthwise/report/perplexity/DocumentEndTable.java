package org.lengthwise.report.perplexity;

import java.util.List;
import java.util.Optional;
import org.lengthwise.error.Count;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.TableText;
import org.lengthwise.statistics.DocumentEndRule;

/** The perplexity of the last tokens of documents, by a {@link DocumentEndRule}. */
final class DocumentEndTable {
  private DocumentEndTable() {}

  /** The table of a protocol; empty if none of its targets is at the end of a document. */
  static Optional<TableText> of(
      PerplexityTable table, IndividualScores scores, DocumentEndRule rule) {
    int longest = table.lengths().stream().mapToInt(Integer::intValue).max().orElse(0);
    return table.columns().stream()
        .flatMap(column -> scores.atDocumentEnds(column.run(), table.protocol(), longest).stream())
        .findFirst()
        .map(
            targets ->
                table.text(
                    "Perplexity of the last tokens of documents",
                    (column, length) ->
                        PerplexityNumbers.entry(
                            scores.atDocumentEnds(column.run(), table.protocol(), length)),
                    List.of(
                        "Targets among the last %s tokens of their document, its end of text included: %s at length %s. The exponential of the mean over targets and seeds."
                            .formatted(
                                Numbers.count(rule.last()),
                                Count.of(targets.numTokens(), "target"),
                                Numbers.count(longest)))));
  }
}
