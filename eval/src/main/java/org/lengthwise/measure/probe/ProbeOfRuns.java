package org.lengthwise.measure.probe;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.lengthwise.config.Unit;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.measure.ExperimentRun;
import org.lengthwise.measure.Feasibility;
import org.lengthwise.measure.Lengths;
import org.lengthwise.measure.MeasurementConfig;
import org.lengthwise.measure.MeasurementSettings;
import org.lengthwise.measure.Pass;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.training.checkpoint.Checkpoint;

/**
 * The zero-shot passkey of language models.
 *
 * @param config the prompts and their settings
 * @param lengths each T in tokens
 */
@JsonTypeName("passkey")
public record ProbeOfRuns(@JsonUnwrapped ProbeConfig config, @Unit("tokens") Lengths lengths)
    implements MeasurementConfig.OfRun {
  @Override
  public String folder() {
    return "passkey";
  }

  @Override
  public MeasurementSettings settings() {
    return config.settings();
  }

  @Override
  public OfRun among(List<Integer> trainLengths) {
    return new ProbeOfRuns(config, lengths.among(trainLengths));
  }

  @Override
  public void requireFeasible(ExperimentRun run, ShardSource shards) {
    Feasibility.requireText(run, "passkey");
    Feasibility.requireSameTokenizer(run, shards);
    changes(run);
  }

  private List<PositionChange> changes(ExperimentRun run) {
    return Feasibility.changes(run.name(), run.position(), run::allows, config.changes());
  }

  /** Of each prompt three variants are read; the answers cost little beside them. */
  @Override
  public List<Pass> passes(ExperimentRun run) {
    long prompts = 3L * config.samples() * config.depths().size() * changes(run).size();
    return lengths.forTraining(run.length()).stream()
        .map(length -> new Pass(length, prompts, true))
        .toList();
  }

  @Override
  public void measure(
      Checkpoint checkpoint, ShardSource shards, Path output, BooleanSupplier stopRequested)
      throws IOException {
    ProbeMeasurement.run(config, lengths, List.of(checkpoint), shards, output, stopRequested);
  }
}
