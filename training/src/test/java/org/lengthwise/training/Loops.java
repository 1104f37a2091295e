package org.lengthwise.training;

import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.config.LoopConfig;

/** Loops of a few steps, whose metrics are told at every one. */
public final class Loops {
  private static final LoopConfig.Guard GUARD =
      new LoopConfig.Guard(5, 3, LoopConfig.Guard.Action.STOP, 0.5);

  private Loops() {}

  /**
   * In float32 on a CPU, every batch at once; a validation and a checkpoint after the last step.
   */
  public static LoopConfig of(int length, int batch, int steps) {
    return new LoopConfig(
        length,
        batch,
        batch,
        steps,
        Precision.FLOAT32,
        "cpu",
        1,
        true,
        new LoopConfig.Validation(steps, 1),
        new LoopConfig.Checkpoints(steps, 1),
        GUARD);
  }

  /** The same loop in another precision, on other devices, so many sequences at a time. */
  public static LoopConfig on(LoopConfig loop, String device, int microBatch, Precision precision) {
    return new LoopConfig(
        loop.length(),
        loop.batch(),
        microBatch,
        loop.steps(),
        precision,
        device,
        loop.metricsInterval(),
        loop.tensorboard(),
        loop.validation(),
        loop.checkpoint(),
        loop.guard());
  }

  /** The same loop with validations and checkpoints more often, of which so many stay. */
  public static LoopConfig every(LoopConfig loop, int interval, int sequences, int keep) {
    return new LoopConfig(
        loop.length(),
        loop.batch(),
        loop.microBatch(),
        loop.steps(),
        loop.precision(),
        loop.device(),
        loop.metricsInterval(),
        loop.tensorboard(),
        new LoopConfig.Validation(interval, sequences),
        new LoopConfig.Checkpoints(interval, keep),
        loop.guard());
  }
}
