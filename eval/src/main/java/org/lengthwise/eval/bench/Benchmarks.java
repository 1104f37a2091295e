package org.lengthwise.eval.bench;

import ai.djl.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.BuildInfo;
import org.lengthwise.training.device.Devices;

/**
 * All parts, one after the other in one process.
 *
 * @param config the sizes
 * @param traces the folder that profiles are kept in, or null if they are not
 */
public record Benchmarks(BenchConfig config, @Nullable Path traces) {
  private static final Logger LOG = LogManager.getLogger(Benchmarks.class);

  /** Takes what is measured so far, after each part. */
  @FunctionalInterface
  public interface Listener {
    /**
     * Called when a part is measured.
     *
     * @param report that part and those before it
     * @throws IOException if the report cannot be kept
     */
    void measured(BenchReport report) throws IOException;
  }

  /**
   * Measures.
   *
   * @param parts what to measure, at least one, in any order
   * @param listener told after each part, so that a long measurement can be kept as it grows
   * @return what was measured, in the order of the parts
   * @throws IOException if the shards for reading or a profile cannot be written or removed, or the
   *     listener fails
   */
  public BenchReport run(Set<Part> parts, Listener listener) throws IOException {
    Device device = Devices.of(config.device());
    BenchReport report =
        new BenchReport(
            BuildInfo.current(),
            Machine.current(config.device()),
            config,
            List.of(),
            List.of(),
            null,
            List.of());
    for (Part part : Part.values()) {
      if (parts.contains(part)) {
        LOG.info("bench: {}", part);
        report = measure(part, device, report);
        listener.measured(report);
      }
    }
    return report;
  }

  private BenchReport measure(Part part, Device device, BenchReport before) throws IOException {
    return switch (part) {
      case SCHEMES -> before.withSchemes(schemes().run(device));
      case READING -> before.with(reading());
      case SOAK -> before.with(soak().run(device));
      default -> before.withRows(rows(part, device));
    };
  }

  private List<BenchRow> rows(Part part, Device device) {
    ProcessMemory memory = ProcessMemory.own();
    Interleaved timer = new Interleaved(memory, config.repetitions());
    return switch (part) {
      case ATTENTION ->
          new AttentionBench(config.attention(), config.precision(part), timer).run(device);
      case SCALING -> new ScalingBench(config.scaling(), config.precision(part), timer).run(device);
      case LAST_TOKEN ->
          new LastTokenBench(config.lastToken(), config.precision(part), timer).run(device);
      case TRAINING -> new TrainingBench(config.training(), memory).run(device);
      case SCHEMES, READING, SOAK -> throw new AssertionError(part + " has no rows");
    };
  }

  private SchemesBench schemes() {
    return new SchemesBench(
        config.schemes(), config.precision(Part.SCHEMES), ProcessMemory.own(), traces);
  }

  private SoakBench soak() {
    return new SoakBench(config.soak(), config.precision(Part.SOAK), ProcessMemory.own());
  }

  private ShardReadingBench.Outcome reading() throws IOException {
    BenchConfig.Reading sizes = config.reading();
    return new ShardReadingBench(
            sizes.shards(),
            sizes.shardBytes(),
            sizes.windowLengths(),
            sizes.tokensPerPass(),
            config.repetitions())
        .run();
  }
}
