package org.lengthwise.bench;

import ai.djl.Device;
import java.io.IOException;
import java.util.List;
import org.lengthwise.positional.attention.Precision;

/**
 * A training step in float32: forward, backward, clip and update. Three variants: the decoder in
 * Java; the same model as one TorchScript program (forward pass and loss); and this program
 * rewritten by TorchScript's graph optimizer. All start from the same weights, read the same
 * batches and take turns, step by step.
 *
 * @param sizes an ALiBi model and its batches; steps counts the timed steps of each variant
 * @param memory reads the memory of this process
 */
record TrainingBench(TrainingSizes sizes, ProcessMemory memory) {
  private static final String PROGRAM = "one TorchScript program";
  private static final String OPTIMIZED = "the program, optimised";

  /** One row for each variant. */
  List<BenchRow> run(Device device) throws IOException {
    try (TrainingStep decoder = TrainingStep.ofDecoder(sizes, Precision.FLOAT32, device);
        TrainingStep program = TrainingStep.ofProgram(sizes, device, false);
        TrainingStep optimized = TrainingStep.ofProgram(sizes, device, true)) {
      String name =
          "d = %s, %s layers, batch %s"
              .formatted(sizes.model().width(), sizes.model().layers(), sizes.batch());
      return new BenchRow.Workload(BenchPart.TRAINING, name, sizes.length(), sizes.tokensPerStep())
          .rows(
              new RoundRobinTimer(memory, sizes.steps())
                  .run(
                      List.of(
                          RoundRobinTimer.Variant.of("lengthwise", decoder::next)
                              .against(PROGRAM, OPTIMIZED),
                          RoundRobinTimer.Variant.of(PROGRAM, program::next),
                          RoundRobinTimer.Variant.of(OPTIMIZED, optimized::next))));
    }
  }
}
