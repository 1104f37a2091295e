package org.lengthwise.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.bench.ShardReadingBench.Result;

/**
 * The results of one call.
 *
 * @param machine the hardware and the runtime
 * @param rows times and ratios of the parts that compare variants
 * @param schemes a training step of each scheme, empty if this part did not run
 * @param reading the reading of windows, null if this part did not run
 * @param soak memory over many steps, empty if this part did not run
 */
public record BenchReport(
    BuildInfo build,
    Host machine,
    BenchConfig config,
    List<BenchRow> rows,
    List<SchemesBench.Row> schemes,
    @Nullable Result reading,
    List<SoakBench.Row> soak) {

  /** Copies the lists. */
  public BenchReport {
    rows = List.copyOf(rows);
    schemes = List.copyOf(schemes);
    soak = List.copyOf(soak);
  }

  /**
   * {@return a sentence for each variant whose results differ from their reference by more than the
   * tolerance}
   */
  public List<String> disagreements() {
    List<String> found = new ArrayList<>();
    for (BenchRow row : rows) {
      double most = config.tolerance(row.part());
      for (BenchRow.Contrast comparison : row.comparisons()) {
        Double difference = comparison.difference();
        if (difference != null && !(difference <= most)) { // NaN also counts as a difference
          found.add(
              String.format(
                  Locale.ROOT,
                  "%s, %s, T = %d: %s differs from %s by %.1e, more than %.1e",
                  row.part(),
                  row.workload(),
                  row.length(),
                  row.variant(),
                  comparison.to(),
                  difference,
                  most));
        }
      }
    }
    return found;
  }

  /** This report with more rows. */
  BenchReport withRows(List<BenchRow> more) {
    List<BenchRow> all = Stream.concat(rows.stream(), more.stream()).toList();
    return new BenchReport(build, machine, config, all, schemes, reading, soak);
  }

  /** This report with a training step of each scheme. */
  BenchReport withSchemes(List<SchemesBench.Row> measured) {
    return new BenchReport(build, machine, config, rows, measured, reading, soak);
  }

  /** This report with the reading of windows. */
  BenchReport with(Result measured) {
    return new BenchReport(build, machine, config, rows, schemes, measured, soak);
  }

  /** This report with memory over many steps. */
  BenchReport with(List<SoakBench.Row> measured) {
    return new BenchReport(build, machine, config, rows, schemes, reading, measured);
  }
}
