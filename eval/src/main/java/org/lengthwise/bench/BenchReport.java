package org.lengthwise.bench;

import ai.djl.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.training.device.Devices;

/** The results so far. */
public record BenchReport(BuildInfo build, Host machine, BenchConfig config, List<BenchRow> rows) {
  private static final Logger LOG = LogManager.getLogger(BenchReport.class);

  public BenchReport {
    rows = List.copyOf(rows);
  }

  public static BenchReport begin(BenchConfig config) {
    Devices.of(config.device()); // loads the engine
    return new BenchReport(BuildInfo.current(), Host.current(config.device()), config, List.of());
  }

  /** Stores the results so far. */
  @FunctionalInterface
  public interface Keeper {
    void keep(BenchReport report) throws IOException;
  }

  /**
   * Measures a part.
   *
   * @param numbers the file with the expected numbers of the part agreement
   * @param earlier the results of an interrupted measurement, whose rows are not measured again
   * @param keeper stores the results so far, after each row of a long part and after each part
   * @return this report with the rows of the part
   */
  public BenchReport with(
      BenchPart part, @Nullable Path traces, Path numbers, List<BenchRow> earlier, Keeper keeper)
      throws IOException {
    LOG.info("bench: {}", part);
    Device device = Devices.of(config.device());
    RoundRobinTimer timer = new RoundRobinTimer(ProcessMemory.own(), config.repetitions());
    List<BenchRow> finished = new ArrayList<>(rows); // earlier rows stay in the files meanwhile
    earlier.stream().filter(row -> row.part().compareTo(part) >= 0).forEach(finished::add);
    BenchSetting setting =
        new BenchSetting(
            device,
            config.precision(part),
            timer,
            traces,
            numbers,
            earlier.stream().filter(row -> row.part() == part).toList(),
            row -> {
              finished.add(row);
              keeper.keep(withRows(finished));
            });
    List<BenchRow> all = new ArrayList<>(rows);
    all.addAll(config.sizes(part).run(setting));
    BenchReport report = withRows(all);
    keeper.keep(report);
    return report;
  }

  private BenchReport withRows(List<BenchRow> other) {
    return new BenchReport(build, machine, config, other);
  }

  /** {@return whether both have the same sizes, build and machine} */
  public boolean isComparable(BenchReport other) {
    return withRows(List.of()).equals(other.withRows(List.of()));
  }

  /**
   * {@return a sentence for each variant that differs from its reference beyond the tolerance, then
   * for each that failed}
   */
  public List<String> disagreements() {
    List<String> found = new ArrayList<>();
    for (BenchRow row : rows) {
      for (BenchRow.Contrast comparison : row.comparisons()) {
        Double limit = comparison.limit();
        double most = limit == null ? config.tolerance(row.part()) : limit;
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
    for (BenchRow row : rows) {
      if (row.failure() != null) {
        found.add(
            "%s, %s, T = %s: %s failed: %s"
                .formatted(row.part(), row.workload(), row.length(), row.variant(), row.failure()));
      }
    }
    return found;
  }
}
