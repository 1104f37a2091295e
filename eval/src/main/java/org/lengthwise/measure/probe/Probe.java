package org.lengthwise.measure.probe;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.measure.CheckpointMeasurement;
import org.lengthwise.measure.ExperimentRun;
import org.lengthwise.measure.Feasibility;
import org.lengthwise.measure.Lengths;
import org.lengthwise.measure.MeasurementConfig;
import org.lengthwise.measure.MeasurementSettings;
import org.lengthwise.measure.Pass;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.TestTemperature;
import org.lengthwise.training.checkpoint.Checkpoint;

/**
 * The zero-shot passkey of language models, as in conf/passkey.yaml.
 *
 * @param samples the number of prompts of each length and depth
 * @param depths the shares of the filler before the needle
 * @param filler what surrounds the needle
 * @param seed the seed of keys and text
 * @param positionScaling how positions beyond the training length are scaled, as for perplexities
 * @param temperature what scores are multiplied by, as for perplexities
 * @param lengths each T, the tokens that a model reads
 */
@JsonTypeName("passkey")
public record Probe(
    @Unit("prompts") int samples,
    List<Double> depths,
    Filler filler,
    long seed,
    @AbsentMeans("[\"none\"]") List<PositionScaling> positionScaling,
    @AbsentMeans("[\"none\"]") List<TestTemperature> temperature,
    @JsonUnwrapped MeasurementSettings settings,
    @Unit("tokens") Lengths lengths)
    implements MeasurementConfig.OfRun {

  /** What surrounds the needle. */
  public enum Filler {
    /** Tokens of the test split. */
    TEXT,
    /** Five sentences, repeated. */
    SENTENCES
  }

  public Probe {
    Checks.atLeast("samples", samples, 1);
    depths = Checks.distinct("depths", depths);
    depths.forEach(depth -> Checks.within("depths", depth, 0, 1));
    positionScaling = Checks.distinct("position_scaling", positionScaling);
    temperature = Checks.distinct("temperature", temperature);
  }

  @Override
  public String folder() {
    return "passkey";
  }

  @Override
  public List<PositionChange> changes() {
    return PositionChange.all(positionScaling, temperature);
  }

  @Override
  public OfRun among(List<Integer> trainLengths) {
    return new Probe(
        samples,
        depths,
        filler,
        seed,
        positionScaling,
        temperature,
        settings,
        lengths.among(trainLengths));
  }

  boolean readsText() {
    return filler == Filler.TEXT;
  }

  @Override
  public void requireFeasible(ExperimentRun run, ShardSource shards) {
    Feasibility.requireText(run, "passkey");
    if (readsText()) {
      Feasibility.requireSameTokenizer(run, shards);
    }
    changes(run);
  }

  /** Of each prompt three variants are read; the answers cost little beside them. */
  @Override
  public List<Pass> passes(ExperimentRun run) {
    long prompts = 3L * samples * depths.size() * changes(run).size();
    return lengths.forTraining(run.length()).stream()
        .map(length -> new Pass(length, prompts, true))
        .toList();
  }

  @Override
  public CheckpointMeasurement<?> of(List<Checkpoint> checkpoints, ShardSource shards) {
    return new ProbeMeasurement(this, checkpoints, shards);
  }
}
