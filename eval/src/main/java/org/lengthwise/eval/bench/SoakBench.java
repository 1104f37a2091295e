package org.lengthwise.eval.bench;

import ai.djl.Device;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.model.Decoder;
import org.lengthwise.training.model.Weights;

/**
 * Memory over many training steps of a small model, natively and in the heap: flat if nothing
 * leaks.
 *
 * @param sizes the model and its steps
 * @param precision the format of the products
 * @param memory where the process's memory is read
 */
record SoakBench(TrainingSizes sizes, Precision precision, ProcessMemory memory) {
  private static final int PARTS = 10;

  /**
   * Memory after some steps.
   *
   * @param step how many steps were made
   * @param residentBytes what the process holds in all, null where the system does not tell
   * @param heapBytes what is alive in the Java heap after a collection
   */
  public record Row(long step, @Nullable Long residentBytes, long heapBytes) {}

  /** Memory after each tenth of the steps. */
  List<Row> run(Device device) {
    List<Row> rows = new ArrayList<>();
    try (Weights weights = TrainingStep.weights(sizes, device);
        Decoder decoder = new Decoder(sizes.model(), weights, precision);
        TrainingStep training = new TrainingStep(sizes, weights, decoder::loss)) {
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
