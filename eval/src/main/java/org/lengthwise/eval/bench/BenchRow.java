package org.lengthwise.eval.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One form of one piece of work: how long it took, and how it compares with other forms.
 *
 * @param part the part it belongs to
 * @param subject the work, the same for all forms that may be compared
 * @param form the way it was done
 * @param length T
 * @param tokens how many tokens one pass works on
 * @param milliseconds the times of a pass
 * @param peakMegabytes the process's resident memory at its highest during the form's first pass,
 *     inputs and weights included; null where the system does not tell
 * @param comparisons with other forms of the same work
 */
public record BenchRow(
    Part part,
    String subject,
    String form,
    int length,
    int tokens,
    Timing milliseconds,
    @Nullable Long peakMegabytes,
    List<Comparison> comparisons) {
  private static final int TOKENS_PER_UNIT = 1000;

  /** Takes a copy. */
  public BenchRow {
    comparisons = List.copyOf(comparisons);
  }

  /**
   * A form beside another one.
   *
   * @param to the other form
   * @param ratio how many times as fast as the other it is
   * @param difference how far the two results are apart
   */
  public record Comparison(String to, double ratio, double difference) {}

  /**
   * The work of several forms.
   *
   * @param part the part it belongs to
   * @param name what is done
   * @param length T
   * @param tokens how many tokens one pass works on
   */
  record Subject(Part part, String name, int length, int tokens) {

    /** A row for each form, compared with those that it names. */
    List<BenchRow> rows(List<Interleaved.Timed> timed) {
      Map<String, Interleaved.Timed> byName =
          timed.stream().collect(Collectors.toMap(Interleaved.Timed::form, Function.identity()));
      return timed.stream().map(own -> row(own, comparisons(own, byName))).toList();
    }

    private static List<Comparison> comparisons(
        Interleaved.Timed own, Map<String, Interleaved.Timed> byName) {
      List<Comparison> comparisons = new ArrayList<>();
      for (Interleaved.Reference reference : own.references()) {
        Interleaved.Timed to = Objects.requireNonNull(byName.get(reference.form()));
        DoubleSupplier difference = reference.difference();
        comparisons.add(
            new Comparison(
                to.form(),
                to.timing().median() / own.timing().median(),
                difference == null
                    ? Math.abs(own.result() - to.result())
                    : difference.getAsDouble()));
      }
      return comparisons;
    }

    private BenchRow row(Interleaved.Timed timed, List<Comparison> comparisons) {
      Long peak = timed.peakBytes();
      return new BenchRow(
          part,
          name,
          timed.form(),
          length,
          tokens,
          timed.timing(),
          peak == null ? null : peak >> 20,
          comparisons);
    }
  }

  /**
   * The cost of a token.
   *
   * @return milliseconds for each 1,000 tokens
   */
  public double millisecondsPerThousandTokens() {
    return TOKENS_PER_UNIT * milliseconds.median() / tokens;
  }
}
