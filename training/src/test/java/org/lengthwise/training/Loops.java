package org.lengthwise.training;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import org.lengthwise.config.ConfigLoader;
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
    return with(loop, Map.of("device", device, "micro_batch", microBatch, "precision", precision));
  }

  /** A loop with products and a residual stream in bfloat16. */
  public static LoopConfig inBfloat16(LoopConfig loop) {
    return with(loop, Map.of("precision", Precision.BFLOAT16, "residual", Precision.BFLOAT16));
  }

  /** A loop with another interval of validations and checkpoints, and another number to keep. */
  public static LoopConfig every(LoopConfig loop, int interval, int sequences, int keep) {
    return with(
        loop,
        Map.of(
            "validation",
            new LoopConfig.Validation(interval, sequences),
            "checkpoint",
            new LoopConfig.Checkpoints(interval, keep)));
  }

  /** A loop whose windows are read document by document. */
  public static LoopConfig within(LoopConfig loop) {
    return with(loop, Map.of("documents", LoopConfig.Documents.WITHIN));
  }

  /** A loop whose windows carry states. */
  public static LoopConfig carried(LoopConfig loop) {
    return with(loop, Map.of("states", LoopConfig.States.CARRIED));
  }

  /** A loop with other values of some keys, named as in a configuration. */
  private static LoopConfig with(LoopConfig loop, Map<String, ?> changes) {
    ObjectMapper mapper = ConfigLoader.strictMapper();
    ObjectNode changed = mapper.valueToTree(loop);
    changes.forEach((key, value) -> changed.set(key, mapper.valueToTree(value)));
    return mapper.convertValue(changed, LoopConfig.class);
  }
}
