package org.lengthwise.experiment;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.measure.ExperimentRun;
import org.lengthwise.measure.ExperimentRun.Imported;
import org.lengthwise.measure.ExperimentRun.Trained;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.task.Task;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.plan.RunPlan;

/** The memory of runs on a CPU, in bytes of tensors. */
record MemoryPlan(ExperimentConfig config, ShardSource shards) {
  private static final RunPlan.Machine CPU =
      new RunPlan.Machine(false, 1, 0, Optional.empty(), OptionalDouble.empty());

  long bytes(ExperimentRun run) {
    if (run instanceof Imported imported) {
      int megabytes =
          config.ofRun(run).stream()
              .mapToInt(measurement -> measurement.settings().memoryLimitMegabytes())
              .max()
              .orElse(0);
      return Float.BYTES * imported.checkpoint().origin().model().numParameters()
          + megabytes * (1L << 20);
    }
    TrainingConfig training = ((Trained) run).config();
    ModelConfig model = training.modelConfig(Task.of(training, shards).vocabulary());
    return new RunPlan(training, model, OptionalLong.empty(), CPU).deviceBytes();
  }
}
