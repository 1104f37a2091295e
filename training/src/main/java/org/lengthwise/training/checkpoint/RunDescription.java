package org.lengthwise.training.checkpoint;

import java.util.Optional;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.task.DataIdentity;
import org.lengthwise.task.Task;
import org.lengthwise.training.config.StartConfig;
import org.lengthwise.training.config.TaskConfig;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.optimizer.TableReach;

/** The training run that made a checkpoint. */
public record RunDescription(
    int formatVersion, ModelConfig model, TrainingConfig config, DataIdentity data, BuildInfo build)
    implements ModelOrigin {
  @Override
  public String name() {
    return config.name();
  }

  @Override
  public long seed() {
    return config.seed();
  }

  @Override
  public int length() {
    return config.longestLength();
  }

  @Override
  public TokenizerIdentity tokenizer() {
    return data.tokenizer();
  }

  @Override
  public Optional<TaskConfig> stringTask() {
    return Optional.ofNullable(config.task());
  }

  /** It is that of the model that a second stage started from, unless the stage omits it. */
  @Override
  public Optional<Integer> bos() {
    return config.stage().flatMap(StartConfig::firstToken);
  }

  public Optional<TableReach> tableReach() {
    return TableReach.of(model, config.optimizer(), config.training().steps());
  }

  public static RunDescription of(TrainingConfig config, Task task) {
    return new RunDescription(
        FORMAT_VERSION,
        config.modelConfig(task.vocabulary()),
        config,
        task.data(),
        BuildInfo.current());
  }
}
