package org.lengthwise.bench;

import java.io.IOException;
import java.util.List;
import org.lengthwise.bench.RoundRobinTimer.Variant;
import org.lengthwise.bench.RoundRobinTimer.Workload;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.positional.attention.Numerics;
import org.lengthwise.training.config.OptimizerConfig;

/**
 * Training steps on random tokens: forward, backward, clip and update. The part training has three
 * variants of a step of an ALiBi model: the decoder in Java; the same model as one TorchScript
 * program (forward pass and loss); and this program rewritten by TorchScript's graph optimizer. All
 * start from the same weights, read the same batches and take turns, step by step.
 *
 * @param steps the number of timed steps of each variant
 * @param length T, the length of a sequence
 * @param batch the number of sequences of a step
 * @param microBatch the number of sequences of a forward pass, a divisor of batch
 * @param model the model
 * @param optimizer the optimizer; its largest learning rate is used in every step
 */
public record TrainingBench(
    @Unit("steps") int steps,
    @Unit("tokens") int length,
    @Unit("sequences") int batch,
    @Unit("sequences") int microBatch,
    ModelConfig model,
    OptimizerConfig optimizer)
    implements BenchPart.Sizes {
  private static final String PROGRAM = "one TorchScript program";
  private static final String OPTIMIZED = "the program, optimised";

  public TrainingBench {
    Checks.atLeast("steps", steps, 1);
    Checks.atLeast("length", length, 1);
    Checks.atLeast("batch", batch, 1);
    Checks.atLeast("micro_batch", microBatch, 1);
    Checks.require(
        batch % microBatch == 0, "micro_batch", "a divisor of batch " + batch, microBatch);
  }

  int tokensPerStep() {
    return length * batch;
  }

  @Override
  public List<BenchRow> run(BenchSetting setting) throws IOException {
    try (TrainingStep decoder =
            TrainingStep.ofDecoder(this, Numerics.of(setting.precision()), setting.device());
        TrainingStep program = TrainingStep.ofProgram(this, setting.device(), false);
        TrainingStep optimized = TrainingStep.ofProgram(this, setting.device(), true)) {
      String name = "d = %s, %s layers, batch %s".formatted(model.width(), model.layers(), batch);
      return new RoundRobinTimer(setting.timer().memory(), steps)
          .run(
              new Workload(BenchPart.TRAINING, name, length, tokensPerStep()),
              List.of(
                  Variant.of("lengthwise", decoder::next).against(PROGRAM, OPTIMIZED),
                  Variant.of(PROGRAM, program::next),
                  Variant.of(OPTIMIZED, optimized::next)));
    }
  }
}
