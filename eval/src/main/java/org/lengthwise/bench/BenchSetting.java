package org.lengthwise.bench;

import ai.djl.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.bench.RoundRobinTimer.Workload;
import org.lengthwise.positional.attention.Precision;

/**
 * What all parts share.
 *
 * @param traces the folder for profiles, or null to discard them
 * @param numbers the file with the expected numbers of the part agreement
 * @param earlier rows of the same sizes on the same machine, which are not measured again
 * @param finished receives each row of a long part when it is measured
 */
record BenchSetting(
    Device device,
    Precision precision,
    RoundRobinTimer timer,
    @Nullable Path traces,
    Path numbers,
    List<BenchRow> earlier,
    Finished finished) {
  private static final Logger LOG = LogManager.getLogger(BenchSetting.class);

  interface Finished {
    void row(BenchRow row) throws IOException;
  }

  interface Measurement {
    List<BenchRow> run() throws IOException;
  }

  /**
   * The earlier rows; if there are none, those of the measurement. A measurement that fails has one
   * row with the error, which also counts as measured.
   *
   * @param work the first words of the workload's name
   * @param variant the name of the variant, or of several up to a comma; empty for all variants of
   *     the workload
   * @throws IllegalStateException if CUDA has failed: it keeps most errors for the whole process
   */
  List<BenchRow> rows(Workload work, String variant, Measurement measurement) throws IOException {
    List<BenchRow> known =
        earlier.stream()
            .filter(row -> (row.workload() + " ").startsWith(work.name() + " "))
            .filter(row -> variant.isEmpty() || (row.variant() + ",").startsWith(variant + ","))
            .filter(row -> row.length() == work.length())
            .toList();
    if (!known.isEmpty()) {
      return known;
    }
    List<BenchRow> rows;
    try {
      rows = measurement.run();
    } catch (RuntimeException e) {
      LOG.error("{}, {}, T = {}", work.part(), variant, work.length(), e);
      BenchRow failed = BenchRow.failed(work, variant, e);
      if (e.toString().contains("CUDA error")) {
        finished.row(failed);
        throw new IllegalStateException("start the command again with --resume: " + e, e);
      }
      rows = List.of(failed);
    }
    for (BenchRow row : rows) {
      finished.row(row);
    }
    return rows;
  }
}
