package org.lengthwise.training.replica;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.task.SmallTask;
import org.lengthwise.task.Task;
import org.lengthwise.training.Loops;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.config.OptimizerConfig;
import org.lengthwise.training.config.TrainingConfig;

class ReplicaGroupIT {

  private static ReplicaGroup group(int numReplicas) throws IOException {
    LoopConfig loop = Loops.on(Loops.of(8, 6, 1), "cpu:2", 1, Precision.FLOAT32);
    TrainingConfig config =
        new TrainingConfig(
            "test",
            5,
            new TrainingConfig.ModelSize(1, 8, 2),
            new Alibi(),
            new OptimizerConfig(1e-3, 1, 0.9, 0.95, 1e-8, 0.1, 1, 0, 0.1),
            loop);
    Task task = SmallTask.of(config, 7);
    List<Device> devices = Collections.nCopies(numReplicas, Device.cpu());
    return new ReplicaGroup(RunDescription.of(config, task), task::loss, null, devices);
  }

  @Test
  void replicaThatDriftsIsDetected() throws IOException {
    try (ReplicaGroup group = group(3)) {
      assertThatCode(group::requireInStep).doesNotThrowAnyException();
      NDArray bias = group.replica(2).weights().get("transformer.ln_f.bias");
      bias.setRequiresGradient(false); // so that it can be changed in place
      bias.addi(1e-30);
      assertThatThrownBy(group::requireInStep)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("transformer.ln_f.bias of replica 2 differs");
    }
  }

  @Test
  void momentThatDriftsIsDetectedBeforeItChangesTheWeights() throws IOException {
    try (ReplicaGroup group = group(2)) {
      NDArray moment =
          Objects.requireNonNull(
              group.replica(1).optimizer().moments().get("transformer.ln_f.bias.exp_avg_sq"));
      moment.addi(1e-30);
      assertThatThrownBy(group::requireInStep)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("transformer.ln_f.bias.exp_avg_sq of replica 1 differs");
    }
  }
}
