package org.lengthwise.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.error.ConfigException;
import org.lengthwise.training.checkpoint.Checkpoint;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

final class MeasurementInputs {
  @Option(
      names = "--checkpoint",
      required = true,
      arity = "1..*",
      paramLabel = "DIR",
      description =
          "Checkpoints, runs with their newest checkpoint, or models in Hugging Face's layout.")
  private List<Path> folders = List.of();

  @Option(
      names = "--data",
      paramLabel = "URI",
      description = "The shard folder. A model of strings has none.")
  private @Nullable String data;

  @Mixin private WeightsOption weights = new WeightsOption();

  List<Checkpoint> checkpoints() throws IOException {
    List<Checkpoint> opened = new ArrayList<>();
    for (Path folder : folders) {
      opened.add(weights.open(folder));
    }
    return opened;
  }

  /** The shards, not open yet. The caller closes them. */
  ShardSource shards() {
    return new ShardSource(data);
  }

  void requireNoShards() {
    if (data != null) {
      throw new ConfigException(
          "--data", "no data, because the strings are those of the task", data, "omit the option");
    }
  }
}
