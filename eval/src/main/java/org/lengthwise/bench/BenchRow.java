package org.lengthwise.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The measurement of one variant of a workload, and its comparisons with other variants.
 *
 * @param part the part that it belongs to
 * @param workload the name of the workload, equal for all variants that are compared; {@code
 *     subject} in bench.json
 * @param variant the name of the variant; {@code form} in bench.json
 * @param length T
 * @param tokens the number of tokens of one pass
 * @param milliseconds the duration of a pass
 * @param peakMegabytes the highest resident memory of the process during the variant's first pass,
 *     inputs and weights included; null if unknown
 * @param comparisons the comparisons with other variants of the workload
 */
public record BenchRow(
    BenchPart part,
    @JsonProperty("subject") String workload,
    @JsonProperty("form") String variant,
    int length,
    int tokens,
    RoundRobinTimer.Timing milliseconds,
    @Nullable Long peakMegabytes,
    List<Contrast> comparisons) {
  private static final int TOKENS_PER_UNIT = 1000;

  /** Copies the list. */
  public BenchRow {
    comparisons = List.copyOf(comparisons);
  }

  /**
   * How this variant differs from another one.
   *
   * @param ratio the other variant's time divided by this variant's, the median over rounds
   * @param difference the distance between the two results; null if they are not comparable
   */
  public record Contrast(String to, double ratio, @Nullable Double difference) {}

  /**
   * The computation that several variants share.
   *
   * @param part the part that it belongs to
   * @param name the name in the table
   * @param length T
   * @param tokens the number of tokens of one pass
   */
  record Workload(BenchPart part, String name, int length, int tokens) {

    /** One row for each variant. */
    List<BenchRow> rows(List<RoundRobinTimer.Timed> timed) {
      Map<String, RoundRobinTimer.Timed> byName =
          timed.stream()
              .collect(Collectors.toMap(RoundRobinTimer.Timed::variant, Function.identity()));
      return timed.stream().map(own -> row(own, comparisons(own, byName))).toList();
    }

    private static List<Contrast> comparisons(
        RoundRobinTimer.Timed own, Map<String, RoundRobinTimer.Timed> byName) {
      List<Contrast> comparisons = new ArrayList<>();
      for (RoundRobinTimer.Reference reference : own.references()) {
        RoundRobinTimer.Timed to = Objects.requireNonNull(byName.get(reference.variant()));
        RoundRobinTimer.Difference difference = reference.difference();
        comparisons.add(
            new Contrast(
                to.variant(),
                own.speedOver(to),
                difference == null ? null : difference.of(own, to)));
      }
      return comparisons;
    }

    private BenchRow row(RoundRobinTimer.Timed timed, List<Contrast> comparisons) {
      Long peak = timed.peakBytes();
      return new BenchRow(
          part,
          name,
          timed.variant(),
          length,
          tokens,
          timed.timing(),
          peak == null ? null : peak >> 20,
          comparisons);
    }
  }

  /** {@return the milliseconds for 1,000 tokens} */
  public double millisecondsPerThousandTokens() {
    return TOKENS_PER_UNIT * milliseconds.median() / tokens;
  }
}
