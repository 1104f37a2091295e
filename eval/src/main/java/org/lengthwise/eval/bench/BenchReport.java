package org.lengthwise.eval.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.BuildInfo;
import org.lengthwise.eval.bench.ShardReadingBench.Outcome;

/**
 * Everything that one call measured.
 *
 * @param build the software
 * @param machine the hardware and what lies between
 * @param config the sizes
 * @param rows times and ratios
 * @param schemes a training step of each scheme, empty if it was not asked for
 * @param reading the reading of windows, null if it was not asked for
 * @param soak memory over many steps, empty if it was not asked for
 */
public record BenchReport(
    BuildInfo build,
    Machine machine,
    BenchConfig config,
    List<BenchRow> rows,
    List<SchemesBench.Row> schemes,
    @Nullable Outcome reading,
    List<SoakBench.Row> soak) {

  /** Takes copies. */
  public BenchReport {
    rows = List.copyOf(rows);
    schemes = List.copyOf(schemes);
    soak = List.copyOf(soak);
  }

  /**
   * The forms whose results are too far from those of a plainer form.
   *
   * @return a sentence for each, none if all agree
   */
  public List<String> disagreements() {
    List<String> found = new ArrayList<>();
    for (BenchRow row : rows) {
      double most = config.tolerance(row.part());
      for (BenchRow.Comparison comparison : row.comparisons()) {
        if (!(comparison.difference() <= most)) { // so that NaN is found too
          found.add(
              String.format(
                  Locale.ROOT,
                  "%s, %s, T = %d: %s differs from %s by %.1e, more than %.1e",
                  row.part(),
                  row.subject(),
                  row.length(),
                  row.form(),
                  comparison.to(),
                  comparison.difference(),
                  most));
        }
      }
    }
    return found;
  }

  /** The same and more rows. */
  BenchReport withRows(List<BenchRow> more) {
    List<BenchRow> all = Stream.concat(rows.stream(), more.stream()).toList();
    return new BenchReport(build, machine, config, all, schemes, reading, soak);
  }

  /** The same and a training step of each scheme. */
  BenchReport withSchemes(List<SchemesBench.Row> measured) {
    return new BenchReport(build, machine, config, rows, measured, reading, soak);
  }

  /** The same and the reading of windows. */
  BenchReport with(Outcome measured) {
    return new BenchReport(build, machine, config, rows, schemes, measured, soak);
  }

  /** The same and memory over many steps. */
  BenchReport with(List<SoakBench.Row> measured) {
    return new BenchReport(build, machine, config, rows, schemes, reading, measured);
  }
}
