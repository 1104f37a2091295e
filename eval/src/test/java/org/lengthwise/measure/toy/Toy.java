package org.lengthwise.measure.toy;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.lengthwise.config.Unit;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.measure.CheckpointMeasurement;
import org.lengthwise.measure.ExperimentRun;
import org.lengthwise.measure.Lengths;
import org.lengthwise.measure.MeasurementConfig;
import org.lengthwise.measure.MeasurementSettings;
import org.lengthwise.measure.Pass;
import org.lengthwise.training.checkpoint.Checkpoint;

/**
 * A toy, which counts the even numbers up to a length.
 *
 * @param lengths the largest number
 */
@JsonTypeName("toy")
public record Toy(@Unit("numbers") Lengths lengths, @JsonUnwrapped MeasurementSettings settings)
    implements MeasurementConfig.OfRun {
  @Override
  public String folder() {
    return "toy";
  }

  @Override
  public void requireFeasible(ExperimentRun run, ShardSource shards) {}

  @Override
  public List<Pass> passes(ExperimentRun run) {
    return List.of();
  }

  @Override
  public CheckpointMeasurement<?> of(List<Checkpoint> checkpoints, ShardSource shards) {
    return new ToyMeasurement(this, checkpoints);
  }
}
