package org.lengthwise.training.loop;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.dataprep.config.Differences;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.DataIdentity;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.data.TrainingData;

/** Begins, resumes or skips a training run, whichever its folder asks for. */
public final class TrainingRun {
  private static final Logger LOG = LogManager.getLogger(TrainingRun.class);

  private TrainingRun() {}

  /**
   * Brings a run to its last step.
   *
   * @param config the resolved configuration
   * @param data the shards
   * @param output the run's folder
   * @param resume whether a run that was interrupted there may go on
   * @return the last checkpoint's folder
   * @throws IOException if a file cannot be read or written
   * @throws ConfigException if the folder holds a run that does not fit, or must not go on
   */
  public static Path complete(TrainingConfig config, ShardFolder data, Path output, boolean resume)
      throws IOException {
    RunDescription run = RunDescription.of(config, DataIdentity.of(data.manifest()));
    RunFolder folder = new RunFolder(output);
    Optional<Path> newest = folder.newest();
    if (newest.isEmpty()) {
      requireFree(folder, resume);
    }
    Checkpoint from = newest.isEmpty() ? null : opened(newest.get(), run);
    if (from != null && from.state().step() == config.training().steps()) {
      LOG.info("{} is finished already: {}", config.name(), newest.get());
      return newest.get();
    }
    if (from != null && !resume) {
      throw new ConfigException(
          output.toString(),
          "a folder without a run",
          "one that was interrupted after step " + from.state().step(),
          "add --resume to go on, or name another folder");
    }
    return train(run, folder, data, from);
  }

  private static Path train(
      RunDescription run, RunFolder folder, ShardFolder data, @Nullable Checkpoint from)
      throws IOException {
    Files.createDirectories(folder.path());
    if (from != null) {
      LOG.info("{} goes on after step {}", run.config().name(), from.state().step());
    }
    try (Trainer trainer = new Trainer(run, folder, TrainingData.of(data), from)) {
      return trainer.train();
    }
  }

  private static void requireFree(RunFolder folder, boolean resume) throws IOException {
    if (Files.isDirectory(folder.path()) && !Files.exists(folder.metrics())) {
      try (Stream<Path> content = Files.list(folder.path())) {
        if (content.findAny().isPresent()) {
          throw new ConfigException(
              folder.path().toString(),
              "an absent or empty folder, or one with a run",
              "other files",
              "name another folder");
        }
      }
    }
    if (Files.exists(folder.metrics()) && !resume) {
      throw new ConfigException(
          folder.path().toString(),
          "a folder without a run",
          "one that was interrupted before its first checkpoint",
          "add --resume to begin it again, or name another folder");
    }
  }

  private static Checkpoint opened(Path path, RunDescription run) throws IOException {
    Checkpoint checkpoint = Checkpoint.open(path);
    requireEqual(path, checkpoint.run().config(), run.config());
    requireEqual(path, checkpoint.run().data(), run.data());
    return checkpoint;
  }

  private static void requireEqual(Path path, Record stored, Record asked) {
    ObjectMapper mapper = ConfigLoader.strictMapper();
    List<String> differences =
        Differences.between(mapper.valueToTree(stored), mapper.valueToTree(asked));
    if (!differences.isEmpty()) {
      throw new ConfigException(
          path.toString(),
          "a checkpoint of the same configuration and data",
          "another: " + String.join("; ", differences),
          "go on with what the run began with, or name another folder");
    }
  }
}
