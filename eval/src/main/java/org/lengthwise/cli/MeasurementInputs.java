package org.lengthwise.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.RunFolder;
import picocli.CommandLine.Option;

/** The options for the inputs of a measurement: checkpoints and shards. */
final class MeasurementInputs {
  @Option(
      names = "--checkpoint",
      required = true,
      arity = "1..*",
      paramLabel = "DIR",
      description = "Checkpoints, or runs with their newest checkpoint.")
  private List<Path> folders = List.of();

  @Option(names = "--data", required = true, paramLabel = "URI", description = "The shard folder.")
  private String data = "";

  /** Opens the checkpoints of language models. */
  List<Checkpoint> checkpoints() throws IOException {
    List<Checkpoint> opened = new ArrayList<>();
    for (Path folder : folders) {
      opened.add(RunFolder.resolve(folder).ofLanguageModel());
    }
    return opened;
  }

  /** Opens the shards. The caller closes them. */
  ShardFolder shards() {
    return ShardFolder.open(data);
  }
}
