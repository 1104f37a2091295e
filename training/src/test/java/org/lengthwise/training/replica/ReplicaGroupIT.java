package org.lengthwise.training.replica;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import java.io.IOException;
import java.util.Collections;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.Loops;
import org.lengthwise.training.checkpoint.DataIdentity;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.config.OptimizerConfig;
import org.lengthwise.training.config.TrainingConfig;

class ReplicaGroupIT {

  private static RunDescription run() {
    LoopConfig loop = Loops.on(Loops.of(8, 2, 1), "cpu:2", 1, Precision.FLOAT32);
    TrainingConfig config =
        new TrainingConfig(
            "test",
            5,
            new TrainingConfig.ModelSize(1, 8, 2),
            new Alibi(),
            new OptimizerConfig(1e-3, 0.9, 0.95, 1e-8, 0.1, 1, 0, 0.1),
            loop);
    String nowhere = "0".repeat(64);
    return RunDescription.of(
        config, new DataIdentity(new TokenizerIdentity("test", nowhere, 7, 0), nowhere));
  }

  @Test
  void replicaThatDriftsIsNoticed() throws IOException {
    try (ReplicaGroup group = new ReplicaGroup(run(), null, Collections.nCopies(3, Device.cpu()))) {
      assertThatCode(group::requireInStep).doesNotThrowAnyException();
      NDArray bias = group.replica(2).weights().get("transformer.ln_f.bias");
      bias.setRequiresGradient(false); // so that it may be changed in place
      bias.addi(1e-30);
      assertThatThrownBy(group::requireInStep)
          .isInstanceOf(ReplicaDriftException.class)
          .hasMessageContaining("transformer.ln_f.bias of replica 2 differs");
    }
  }

  @Test
  void momentThatDriftsIsNoticedBeforeItReachesTheWeights() throws IOException {
    try (ReplicaGroup group = new ReplicaGroup(run(), null, Collections.nCopies(2, Device.cpu()))) {
      NDArray moment =
          Objects.requireNonNull(
              group.replica(1).optimizer().moments().get("transformer.ln_f.bias.exp_avg_sq"));
      moment.addi(1e-30);
      assertThatThrownBy(group::requireInStep)
          .isInstanceOf(ReplicaDriftException.class)
          .hasMessageContaining("transformer.ln_f.bias.exp_avg_sq of replica 1 differs");
    }
  }
}
