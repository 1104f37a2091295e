package org.lengthwise.bench;

import ai.djl.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.training.device.Devices;

/**
 * Runs the parts, one after the other in one process.
 *
 * @param traces the folder for profiles, or null to discard them
 */
public record Benchmarks(BenchConfig config, @Nullable Path traces) {
  private static final Logger LOG = LogManager.getLogger(Benchmarks.class);

  /** Receives the report after each part. */
  @FunctionalInterface
  public interface Listener {
    /**
     * Called after each part.
     *
     * @throws IOException if the report cannot be written
     */
    void measured(BenchReport report) throws IOException;
  }

  /**
   * Runs some parts.
   *
   * @param listener called after each part, so that results of a long measurement are not lost
   * @return the results, in the order of {@link BenchPart}
   * @throws IOException if a temporary shard or a profile cannot be written or deleted, or the
   *     listener fails
   */
  public BenchReport run(Set<BenchPart> parts, Listener listener) throws IOException {
    Device device = Devices.of(config.device());
    BenchReport report =
        new BenchReport(
            BuildInfo.current(),
            Host.current(config.device()),
            config,
            List.of(),
            List.of(),
            null,
            List.of());
    for (BenchPart part : BenchPart.values()) {
      if (parts.contains(part)) {
        LOG.info("bench: {}", part);
        report = measure(part, device, report);
        listener.measured(report);
      }
    }
    return report;
  }

  private BenchReport measure(BenchPart part, Device device, BenchReport before)
      throws IOException {
    return switch (part) {
      case SCHEMES -> before.withSchemes(schemes().run(device));
      case READING -> before.with(reading());
      case SOAK -> before.with(soak().run(device));
      default -> before.withRows(rows(part, device));
    };
  }

  private List<BenchRow> rows(BenchPart part, Device device) throws IOException {
    ProcessMemory memory = ProcessMemory.own();
    RoundRobinTimer timer = new RoundRobinTimer(memory, config.repetitions());
    return switch (part) {
      case ATTENTION ->
          new AttentionBench(config.attention(), config.precision(part), timer).run(device);
      case SCALING -> new ScalingBench(config.scaling(), config.precision(part), timer).run(device);
      case LAST_TOKEN ->
          new LastTokenBench(config.lastToken(), config.precision(part), timer).run(device);
      case FORWARD -> new ForwardBench(config.forward(), timer).run(device);
      case TRAINING -> new TrainingBench(config.training(), memory).run(device);
      case RECURRENCE ->
          new RecurrenceBench(config.recurrence(), config.precision(part), timer).run(device);
      case PREPARATION -> new PreparationBench(config.preparation(), timer).run();
      case SCHEMES, READING, SOAK -> throw new AssertionError(part + " has no rows");
    };
  }

  private SchemesBench schemes() {
    return new SchemesBench(
        config.schemes(), config.precision(BenchPart.SCHEMES), ProcessMemory.own(), traces);
  }

  private SoakBench soak() {
    return new SoakBench(config.soak(), config.precision(BenchPart.SOAK), ProcessMemory.own());
  }

  private ShardReadingBench.Result reading() throws IOException {
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
