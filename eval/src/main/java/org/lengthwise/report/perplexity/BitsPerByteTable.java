package org.lengthwise.report.perplexity;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.TableText;
import org.lengthwise.report.form.TableText.Entry;
import org.lengthwise.result.EvaluationResult;

/** Bits per byte by length (rows) and run (columns), which compare runs of unlike tokenizers. */
final class BitsPerByteTable {
  private static final String MEANING =
      "Bits per byte are the sum of negative log-likelihoods in bits, divided by the bytes of the"
          + " scored tokens' text.";

  private static final String MIXED =
      "The runs have several tokenizers: their perplexities are of unlike tokens and cannot be"
          + " compared, and a length in tokens is not the same length of text. The report cannot"
          + " check that all test sets are of the same text.";

  private BitsPerByteTable() {}

  /** The numbers of a table; empty unless all its results know the bytes of their targets. */
  static Optional<TableText> of(
      PerplexityTable table, List<EvaluationResult> results, boolean isMixed) {
    List<EvaluationResult> ofTable =
        results.stream().filter(result -> result.protocol() == table.protocol()).toList();
    return ofTable.stream().map(EvaluationResult::bitsPerByte).anyMatch(OptionalDouble::isEmpty)
        ? Optional.empty()
        : Optional.of(
            table.text(
                "Bits per byte",
                (column, length) -> entry(ofTable, column, length),
                isMixed ? List.of(MEANING, MIXED, table.notes().get(0)) : List.of(MEANING)));
  }

  private static Entry entry(List<EvaluationResult> results, Column column, int length) {
    List<Double> bits =
        results.stream()
            .filter(result -> result.run().equals(column.run()) && result.length() == length)
            .map(result -> result.bitsPerByte().orElseThrow())
            .toList();
    return Entry.of(
        bits.isEmpty()
            ? Numbers.MISSING
            : PerplexityNumbers.cell(new TableCell(bits), value -> Numbers.of("%.4f", value)));
  }
}
