package org.lengthwise.training;

import org.lengthwise.positional.attention.AttentionKernel;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.config.LoopConfig;

/** Loops of a few steps, with metrics at every step. */
public final class Loops {
  private static final LoopConfig.Guard GUARD =
      new LoopConfig.Guard(5, 3, LoopConfig.Guard.Action.STOP, 0.5);

  private Loops() {}

  /** In float32 on a CPU, without micro-batches. One validation and one checkpoint, at the end. */
  public static LoopConfig of(int length, int batch, int steps) {
    return new LoopConfig(
        length,
        batch,
        batch,
        steps,
        Precision.FLOAT32,
        Precision.FLOAT32,
        AttentionKernel.AUTO,
        LoopConfig.Documents.CROSS,
        LoopConfig.States.ZERO,
        "cpu",
        0,
        1,
        true,
        new LoopConfig.Validation(steps, 1),
        false,
        new LoopConfig.Checkpoints(steps, 1),
        GUARD);
  }

  /** A loop with another device, micro-batch and precision. */
  public static LoopConfig on(LoopConfig loop, String device, int microBatch, Precision precision) {
    return new LoopConfig(
        loop.length(),
        loop.batch(),
        microBatch,
        loop.steps(),
        precision,
        loop.residual(),
        loop.attention(),
        loop.documents(),
        loop.states(),
        device,
        loop.peakFlops(),
        loop.metricsInterval(),
        loop.tensorboard(),
        loop.validation(),
        false,
        loop.checkpoint(),
        loop.guard());
  }

  /** A loop with products and a residual stream in bfloat16. */
  public static LoopConfig inBfloat16(LoopConfig loop) {
    return new LoopConfig(
        loop.length(),
        loop.batch(),
        loop.microBatch(),
        loop.steps(),
        Precision.BFLOAT16,
        Precision.BFLOAT16,
        loop.attention(),
        loop.documents(),
        loop.states(),
        loop.device(),
        loop.peakFlops(),
        loop.metricsInterval(),
        loop.tensorboard(),
        loop.validation(),
        false,
        loop.checkpoint(),
        loop.guard());
  }

  /** A loop with another interval of validations and checkpoints, and another number to keep. */
  public static LoopConfig every(LoopConfig loop, int interval, int sequences, int keep) {
    return new LoopConfig(
        loop.length(),
        loop.batch(),
        loop.microBatch(),
        loop.steps(),
        loop.precision(),
        loop.residual(),
        loop.attention(),
        loop.documents(),
        loop.states(),
        loop.device(),
        loop.peakFlops(),
        loop.metricsInterval(),
        loop.tensorboard(),
        new LoopConfig.Validation(interval, sequences),
        false,
        new LoopConfig.Checkpoints(interval, keep),
        loop.guard());
  }

  /** A loop whose windows are read document by document. */
  public static LoopConfig within(LoopConfig loop) {
    return new LoopConfig(
        loop.length(),
        loop.batch(),
        loop.microBatch(),
        loop.steps(),
        loop.precision(),
        loop.residual(),
        loop.attention(),
        LoopConfig.Documents.WITHIN,
        loop.states(),
        loop.device(),
        loop.peakFlops(),
        loop.metricsInterval(),
        loop.tensorboard(),
        loop.validation(),
        false,
        loop.checkpoint(),
        loop.guard());
  }

  /** A loop whose windows carry states. */
  public static LoopConfig carried(LoopConfig loop) {
    return new LoopConfig(
        loop.length(),
        loop.batch(),
        loop.microBatch(),
        loop.steps(),
        loop.precision(),
        loop.residual(),
        loop.attention(),
        loop.documents(),
        LoopConfig.States.CARRIED,
        loop.device(),
        loop.peakFlops(),
        loop.metricsInterval(),
        loop.tensorboard(),
        loop.validation(),
        false,
        loop.checkpoint(),
        loop.guard());
  }
}
