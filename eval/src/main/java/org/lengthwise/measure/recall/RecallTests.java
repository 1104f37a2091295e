package org.lengthwise.measure.recall;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonProperty.Access;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.error.ConfigException;
import org.lengthwise.measure.CheckpointMeasurement;
import org.lengthwise.measure.ExperimentRun;
import org.lengthwise.measure.Lengths;
import org.lengthwise.measure.MeasurementConfig;
import org.lengthwise.measure.MeasurementSettings;
import org.lengthwise.measure.Pass;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.TestTemperature;
import org.lengthwise.recall.RecallTask;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.config.TaskConfig;

/**
 * The accuracy of models of recall tasks, as in conf/recall.yaml. Other runs are skipped.
 *
 * @param samples the number of strings of each length
 * @param learnedSamples the number of fresh strings that decide whether the task is learned: of all
 *     training lengths, and again of the longest
 * @param vary lists of values by the key of the task, such as {@code a}; each combination is
 *     measured
 * @param seed the seed of the strings
 * @param positionScaling how positions beyond the training length are scaled, as for perplexities
 * @param temperature what scores are multiplied by, as for perplexities
 * @param lengths each length, as the task counts it
 * @param tasks the tasks whose runs are measured; all recall tasks if empty
 * @param folder the name of the results folder, for several measurements of a task
 */
@JsonTypeName("recall")
public record RecallTests(
    @Unit("strings") int samples,
    @AbsentMeans("2560") @Unit("strings") int learnedSamples,
    @AbsentMeans("{}") ObjectNode vary,
    long seed,
    @AbsentMeans("[\"none\"]") @JsonProperty(value = "position_scaling", access = Access.WRITE_ONLY)
        List<PositionScaling> positionScaling,
    @AbsentMeans("[\"none\"]") @JsonProperty(value = "temperature", access = Access.WRITE_ONLY)
        List<TestTemperature> temperature,
    @JsonUnwrapped MeasurementSettings settings,
    @Unit("as the task counts") Lengths lengths,
    @AbsentMeans("[]") @JsonProperty(value = "tasks", access = Access.WRITE_ONLY)
        List<String> tasks,
    @AbsentMeans("\"recall\"") @JsonProperty(value = "folder", access = Access.WRITE_ONLY)
        String folder)
    implements MeasurementConfig.OfRun {

  public RecallTests {
    Checks.atLeast("samples", samples, 1);
    Checks.atLeast("learned_samples", learnedSamples, 1);
    for (Map.Entry<String, JsonNode> values : vary.properties()) {
      Checks.require(
          values.getValue().isArray() && !values.getValue().isEmpty(),
          "vary",
          "a list of values for " + values.getKey(),
          values.getValue());
    }
    positionScaling = Checks.distinct("position_scaling", positionScaling);
    temperature = Checks.distinct("temperature", temperature);
    tasks = List.copyOf(tasks);
    Checks.name("folder", folder);
  }

  @Override
  public List<PositionChange> changes() {
    return PositionChange.all(positionScaling, temperature);
  }

  @Override
  public boolean suits(ExperimentRun run) {
    return run.isTrained();
  }

  @Override
  public void requireFeasible(ExperimentRun run, ShardSource shards) {
    Optional<RecallTask> task = run.task().flatMap(TaskConfig::recall);
    if (task.isEmpty()) {
      throw new ConfigException(
          run.name(),
          "a run on a recall task, for the measurement recall",
          run.task().map(other -> "the task " + other.name()).orElse("a run on a text"),
          "remove the measurement, or name its tasks");
    }
    combinations().forEach(settings -> RecallMeasurement.with(task.get(), settings));
    changes(run);
  }

  /** Strings as long as those of the task that was trained, whatever is varied. */
  @Override
  public List<Pass> passes(ExperimentRun run) {
    RecallTask task = run.task().flatMap(TaskConfig::recall).orElseThrow();
    int longest = task.trainingLengths().max().orElseThrow();
    long changes = changes(run).size();
    long tested = changes * combinations().size() * samples;
    long learned = changes * 2 * learnedSamples;
    return Stream.concat(
            Stream.of(new Pass(task.numTokens(longest), learned, false)),
            lengths.forTraining(run.length()).stream()
                .map(length -> new Pass(task.numTokens(length), tested, false)))
        .toList();
  }

  @Override
  public CheckpointMeasurement<?> of(List<Checkpoint> checkpoints, ShardSource shards) {
    return new RecallMeasurement(this, checkpoints);
  }

  /** Each combination of the varied values; the first key changes slowest. */
  List<ObjectNode> combinations() {
    List<ObjectNode> all = List.of(JsonNodeFactory.instance.objectNode());
    for (Map.Entry<String, JsonNode> varied : vary.properties()) {
      List<ObjectNode> longer = new ArrayList<>();
      for (ObjectNode before : all) {
        varied
            .getValue()
            .forEach(value -> longer.add(before.deepCopy().set(varied.getKey(), value)));
      }
      all = longer;
    }
    return all;
  }
}
