package org.lengthwise.measure.accuracy;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.lengthwise.automaton.Negatives;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.error.ConfigException;
import org.lengthwise.measure.CheckpointMeasurement;
import org.lengthwise.measure.ExperimentRun;
import org.lengthwise.measure.Feasibility;
import org.lengthwise.measure.Lengths;
import org.lengthwise.measure.MeasurementConfig;
import org.lengthwise.measure.MeasurementSettings;
import org.lengthwise.measure.Pass;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.config.RegularConfig;

/**
 * The accuracy of classifiers of strings at several lengths. An imported language model is skipped.
 * Strings are drawn for each combination of negatives and p that the task of the classifier has.
 *
 * @param samples the number of strings of each length
 * @param negatives how strings outside a language are drawn; draws that a task does not have are
 *     skipped
 * @param p the probabilities of b in parity_check, each once; other tasks have 0.5 only
 * @param seed the seed of the strings
 * @param lengths each T, the length of a string
 * @param tasks the tasks whose runs are measured; all runs if empty
 */
@JsonTypeName("accuracy")
public record Accuracy(
    @Unit("strings") int samples,
    List<Negatives> negatives,
    List<Double> p,
    long seed,
    @JsonUnwrapped MeasurementSettings settings,
    @Unit("symbols") Lengths lengths,
    @AbsentMeans("[]") @JsonProperty(value = "tasks", access = JsonProperty.Access.WRITE_ONLY)
        List<String> tasks)
    implements MeasurementConfig.OfRun {

  public Accuracy {
    Checks.atLeast("samples", samples, 1);
    negatives = Checks.distinct("negatives", negatives);
    p = Checks.distinct("p", p);
    p.forEach(probability -> Checks.within("p", probability, 0, 1));
    tasks = List.copyOf(tasks);
  }

  @Override
  public String folder() {
    return "accuracy";
  }

  @Override
  public boolean suits(ExperimentRun run) {
    return run.isTrained();
  }

  @Override
  public void requireFeasible(ExperimentRun run, ShardSource shards) {
    RegularConfig task = Feasibility.requireStrings(run, "accuracy");
    draws(task);
    int shortest = lengths.forTraining(run.length()).get(0);
    Feasibility.requireReads(
        run.name(),
        run.position(),
        "lengths from " + shortest,
        task.task().sampler().numSymbols(shortest));
  }

  /**
   * The draws of the configuration that a task has, at least one.
   *
   * @throws ConfigException if the task has none of them
   */
  List<Draw> draws(RegularConfig task) {
    List<Draw> draws =
        negatives.stream()
            .flatMap(kind -> p.stream().map(probability -> new Draw(kind, probability)))
            .filter(draw -> task.drawn(draw.negatives(), draw.p()).isPresent())
            .toList();
    if (draws.isEmpty()) {
      throw new ConfigException(
          "negatives and p",
          "uniform and 0.5, or what %s has".formatted(task.name()),
          negatives + " and " + p,
          "near is for languages, and p for parity_check");
    }
    return draws;
  }

  @Override
  public List<Pass> passes(ExperimentRun run) {
    RegularConfig task = Feasibility.requireStrings(run, "accuracy");
    long strings = (long) draws(task).size() * samples;
    return lengths.forTraining(run.length()).stream()
        .map(length -> new Pass(task.task().sampler().numSymbols(length), strings, true))
        .toList();
  }

  @Override
  public CheckpointMeasurement<?> of(List<Checkpoint> checkpoints, ShardSource shards) {
    return new AccuracyMeasurement(this, checkpoints);
  }
}
