package org.lengthwise.eval.bench;

import ai.djl.Device;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.dataprep.BuildInfo;
import org.lengthwise.training.device.Devices;

/**
 * All parts, one after the other in one process.
 *
 * @param config the sizes
 */
public record Benchmarks(BenchConfig config) {
  private static final Logger LOG = LogManager.getLogger(Benchmarks.class);

  /**
   * Measures.
   *
   * @param parts what to measure
   * @return what was measured, in the order of the parts
   * @throws IOException if the shards for reading cannot be written or removed
   */
  public BenchReport run(Set<Part> parts) throws IOException {
    Device device = Devices.of(config.device());
    List<BenchRow> rows = new ArrayList<>();
    ShardReadingBench.Outcome reading = null;
    List<SoakBench.Row> soak = List.of();
    for (Part part : Part.values()) {
      if (!parts.contains(part)) {
        continue;
      }
      LOG.info("bench: {}", part);
      switch (part) {
        case READING -> reading = reading();
        case SOAK -> soak = new SoakBench(config.soak(), ProcessMemory.own()).run(device);
        default -> rows.addAll(rows(part, device));
      }
    }
    Machine machine = Machine.current(config.device());
    return new BenchReport(BuildInfo.current(), machine, config, rows, reading, soak);
  }

  private List<BenchRow> rows(Part part, Device device) {
    ProcessMemory memory = ProcessMemory.own();
    Interleaved timer = new Interleaved(memory, config.repetitions());
    return switch (part) {
      case ATTENTION -> new AttentionBench(config.attention(), timer).run(device);
      case SCALING -> new ScalingBench(config.scaling(), timer).run(device);
      case LAST_TOKEN -> new LastTokenBench(config.lastToken(), timer).run(device);
      case TRAINING -> new TrainingBench(config.training(), memory).run(device);
      case READING, SOAK -> throw new AssertionError(part + " has no rows");
    };
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
