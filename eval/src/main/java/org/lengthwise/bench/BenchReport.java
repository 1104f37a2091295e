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

  /**
   * Measures a part.
   *
   * @return this report with the rows of the part
   */
  public BenchReport with(BenchPart part, @Nullable Path traces) throws IOException {
    LOG.info("bench: {}", part);
    Device device = Devices.of(config.device());
    RoundRobinTimer timer = new RoundRobinTimer(ProcessMemory.own(), config.repetitions());
    List<BenchRow> all = new ArrayList<>(rows);
    all.addAll(
        config.sizes(part).run(new BenchSetting(device, config.precision(part), timer, traces)));
    return new BenchReport(build, machine, config, all);
  }

  /** {@return a sentence for each variant that differs from its reference beyond the tolerance} */
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
}
