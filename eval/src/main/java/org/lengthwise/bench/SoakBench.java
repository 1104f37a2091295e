package org.lengthwise.bench;

import ai.djl.Device;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.lengthwise.positional.attention.Precision;

/**
 * Memory over many training steps of a small model, native memory and heap. It is flat if nothing
 * leaks.
 *
 * @param sizes the model and its steps
 * @param precision the format of the products
 * @param memory reads the memory of this process
 */
record SoakBench(TrainingSizes sizes, Precision precision, ProcessMemory memory) {
  private static final int PARTS = 10;

  /**
   * Memory after some steps.
   *
   * @param step the number of steps so far
   * @param residentBytes the resident memory of the process, null if unknown
   * @param heapBytes the live bytes in the Java heap after a garbage collection
   */
  public record Row(long step, @Nullable Long residentBytes, long heapBytes) {}

  /** Memory after each tenth of the steps. */
  List<Row> run(Device device) throws IOException {
    List<Row> rows = new ArrayList<>();
    try (TrainingStep training = TrainingStep.ofDecoder(sizes, precision, device)) {
      for (long made = 0; made < sizes.steps(); ) {
        long end = Math.max(made + 1, (long) sizes.steps() * (rows.size() + 1) / PARTS);
        for (; made < end; made++) {
          training.next();
        }
        rows.add(row(made));
      }
    }
    return rows;
  }

  private Row row(long step) {
    System.gc(); // garbage is not a leak
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    OptionalLong resident = memory.resident();
    return new Row(step, resident.isPresent() ? resident.getAsLong() : null, heap);
  }
}
