package org.lengthwise.measure.receptivefield;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
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
import org.lengthwise.training.config.Bos;
import org.lengthwise.training.config.RegularConfig;
import org.lengthwise.training.config.TaskConfig;

/**
 * Receptive fields at several lengths, of trained models and the same models before training. In an
 * experiment each run is measured under the first of the scalings and temperatures that its scheme
 * has. A run whose scheme can read none of the lengths is skipped.
 *
 * @param lengths each T, the length of a sample
 * @param samples the number of samples for a curve: of the test split, or strings
 * @param seed the seed of the samples; results of equal seeds are paired
 * @param positionScaling how positions beyond the training length are scaled: {@code none}, {@code
 *     interpolation}, {@code ntk} or {@code yarn}, or with a fixed factor {@code yarn:4} or {@code
 *     dynamic:4}, each scaling once; a scheme with nothing to scale is measured once, without
 *     scaling
 * @param temperature what scores are multiplied by: {@code none}, {@code log-length}, {@code log}
 *     or {@code floor}, or with an offset {@code log:100}, each once; a scheme that cannot have one
 *     is measured once, without
 * @param bos whether samples of the test split begin with BOS, for models that were trained so
 * @param tasks the tasks whose runs are measured; all runs if empty
 */
@JsonTypeName("receptive-field")
public record ReceptiveField(
    @Unit("positions") Lengths lengths,
    @Unit("samples") int samples,
    long seed,
    List<PositionScaling> positionScaling,
    @AbsentMeans("[\"none\"]") List<TestTemperature> temperature,
    @AbsentMeans("\"auto\"") Bos bos,
    @JsonUnwrapped MeasurementSettings settings,
    @AbsentMeans("[]") @JsonProperty(value = "tasks", access = JsonProperty.Access.WRITE_ONLY)
        List<String> tasks)
    implements MeasurementConfig.OfRun {

  public ReceptiveField {
    Checks.atLeast("samples", samples, 2);
    positionScaling = Checks.distinct("position_scaling", positionScaling);
    temperature = Checks.distinct("temperature", temperature);
    tasks = List.copyOf(tasks);
  }

  @Override
  public String folder() {
    return "receptive-field";
  }

  @Override
  public List<PositionChange> changes() {
    return PositionChange.all(positionScaling, temperature);
  }

  @Override
  public ReceptiveField among(List<Integer> trainLengths) {
    return with(lengths.among(trainLengths), positionScaling, temperature);
  }

  /** {@return the same measurement under the first of the changes that a run allows} */
  @Override
  public ReceptiveField of(ExperimentRun run) {
    PositionChange first = changes(run).get(0);
    return with(lengths, List.of(first.scaling()), List.of(first.temperature()));
  }

  private ReceptiveField with(
      Lengths others, List<PositionScaling> scalings, List<TestTemperature> temperatures) {
    return new ReceptiveField(others, samples, seed, scalings, temperatures, bos, settings, tasks);
  }

  @Override
  public boolean suits(ExperimentRun run) {
    int shortest = lengths.forTraining(run.length()).get(0);
    return shortest <= run.position().lengths().longest();
  }

  @Override
  public void requireFeasible(ShardSource shards) {
    new SampleSource.TestSplit(shards.folder(), Optional.empty()).requireFeasible(lengths.all());
  }

  @Override
  public void requireFeasible(ExperimentRun run, ShardSource shards) {
    Optional<RegularConfig> strings = run.task().flatMap(TaskConfig::regular);
    if (strings.isEmpty()) {
      Feasibility.requireSameTokenizer(run, shards);
    }
    changes(run);
    strings.ifPresent(
        task -> new SampleSource.Strings(task).requireFeasible(lengths.forTraining(run.length())));
  }

  /** Of the trained and the untrained model. */
  @Override
  public List<Pass> passes(ExperimentRun run) {
    return lengths.forTraining(run.length()).stream()
        .map(length -> new Pass(length, 2L * Pass.WITH_GRADIENT * samples, false))
        .toList();
  }

  @Override
  public CheckpointMeasurement<?> of(List<Checkpoint> checkpoints, ShardSource shards)
      throws IOException {
    for (Checkpoint checkpoint : checkpoints) {
      List<Integer> ofModel = lengths.forTraining(checkpoint.origin().length());
      Feasibility.requireReads(
          checkpoint.origin().name(),
          checkpoint.origin().model().position(),
          "receptive field at " + ofModel,
          ofModel.get(0));
      checkpoint.requireFinite(Collections.max(ofModel));
    }
    return new ReceptiveFieldMeasurement(this, checkpoints, shards);
  }
}
