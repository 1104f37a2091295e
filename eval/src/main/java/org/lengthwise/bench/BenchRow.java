package org.lengthwise.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lengthwise.bench.RoundRobinTimer.Workload;

/**
 * The measurement of one variant of a workload, and its comparisons with other variants.
 *
 * @param workload the name of the workload, equal for all variants that are compared; {@code
 *     subject} in bench.json
 * @param variant the name of the variant; {@code form} in bench.json
 * @param length T
 * @param tokens the number of tokens of one pass
 * @param peakMegabytes the highest resident memory of the process during the variant's first pass,
 *     inputs and weights included. In the part schemes on a GPU: the used memory of the device
 *     after the last step, including other processes; the engine keeps allocated memory, so this is
 *     the peak. Null if unknown
 * @param mfu model FLOPs utilisation of a training step, with the estimate of FLOPs from the
 *     training metrics; null if the device's peak is unknown
 * @param failure the error that ended the measurement of a row without numbers, else null
 */
public record BenchRow(
    BenchPart part,
    @JsonProperty("subject") String workload,
    @JsonProperty("form") String variant,
    int length,
    int tokens,
    Timing milliseconds,
    @Nullable Long peakMegabytes,
    List<Contrast> comparisons,
    @Nullable Double mfu,
    @Nullable StepProfile profile,
    @Nullable String failure) {
  private static final double MILLISECONDS_PER_SECOND = 1000;

  public BenchRow {
    comparisons = List.copyOf(comparisons);
  }

  static BenchRow failed(Workload work, String variant, RuntimeException error) {
    Timing none = new Timing(0, 0, 0, 0);
    String text = error.getClass().getSimpleName() + ": " + error.getMessage();
    String first = text.lines().findFirst().orElseThrow();
    return new BenchRow(
        work.part(),
        work.name(),
        variant,
        work.length(),
        work.tokens(),
        none,
        null,
        List.of(),
        null,
        null,
        first);
  }

  /**
   * The duration of a pass over several repetitions.
   *
   * @param least the fastest repetition in milliseconds
   * @param greatest the slowest repetition in milliseconds
   */
  public record Timing(double median, double least, double greatest, int repetitions) {

    static Timing of(double[] milliseconds) {
      double[] sorted = milliseconds.clone();
      Arrays.sort(sorted);
      int last = sorted.length - 1;
      double median = (sorted[last / 2] + sorted[sorted.length / 2]) / 2;
      return new Timing(median, sorted[0], sorted[last], sorted.length);
    }
  }

  /**
   * How this variant differs from another one.
   *
   * @param ratio the other variant's time divided by this variant's, the median over rounds; null
   *     if only results are compared
   * @param difference the distance between the two results; null if they are not comparable
   * @param limit the largest allowed difference; null for the tolerance of the part
   */
  public record Contrast(
      String to, @Nullable Double ratio, @Nullable Double difference, @Nullable Double limit) {
    Contrast(String to, double difference, double limit) {
      this(to, null, difference, limit);
    }
  }

  double tokensPerSecond() {
    return tokens * MILLISECONDS_PER_SECOND / milliseconds.median();
  }
}
