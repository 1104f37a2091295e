package org.lengthwise.eval.bench;

import java.util.ArrayList;
import java.util.List;
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
   * @param difference the largest absolute difference of the two results
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

    /** A row for each form, each compared with every later one, which should be the plainer. */
    List<BenchRow> rows(List<Interleaved.Timed> timed) {
      List<BenchRow> rows = new ArrayList<>();
      for (int i = 0; i < timed.size(); i++) {
        Interleaved.Timed own = timed.get(i);
        List<Comparison> comparisons =
            timed.subList(i + 1, timed.size()).stream().map(to -> compare(own, to)).toList();
        rows.add(row(own, comparisons));
      }
      return rows;
    }

    BenchRow row(Interleaved.Timed timed, List<Comparison> comparisons) {
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

  static Comparison compare(Interleaved.Timed own, Interleaved.Timed to) {
    return compare(own, to, Math.abs(own.result() - to.result()));
  }

  static Comparison compare(Interleaved.Timed own, Interleaved.Timed to, double difference) {
    return new Comparison(to.form(), to.timing().median() / own.timing().median(), difference);
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
