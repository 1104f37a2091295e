package org.lengthwise.experiment;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.error.ConfigException;
import org.lengthwise.measure.Feasibility;
import org.lengthwise.measure.Lengths;
import org.lengthwise.measure.MeasurementSettings;
import org.lengthwise.measure.accuracy.Accuracy;
import org.lengthwise.measure.answers.AnswersConfig;
import org.lengthwise.measure.answers.AnswersMeasurement;
import org.lengthwise.measure.perplexity.Baseline;
import org.lengthwise.measure.perplexity.Evaluation;
import org.lengthwise.measure.perplexity.EvaluationConfig;
import org.lengthwise.measure.receptivefield.ReceptiveField;
import org.lengthwise.measure.states.States;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.ModelOrigin;
import org.lengthwise.training.config.TaskConfig;
import org.lengthwise.training.config.TrainingConfig;

/**
 * A measurement of an experiment: an entry of {@code measurements}. Its keys are those of the
 * record of its kind, beside the keys of the experiment.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface MeasurementConfig {

  private static void requireText(TrainingConfig run) {
    if (run.task() != null) {
      throw new ConfigException(
          run.name(),
          "a run on a text, for the measurement perplexity",
          "a run on the strings of " + run.task().name(),
          "remove the measurement, or the section task");
    }
  }

  private static TaskConfig requireStrings(TrainingConfig run, String measurement) {
    if (run.task() == null) {
      throw new ConfigException(
          run.name(),
          "a run on strings, for the measurement " + measurement,
          "a run on a text",
          "remove the measurement, or add a section task");
    }
    return run.task();
  }

  /** A measurement that is made of each run. */
  sealed interface OfRun extends MeasurementConfig {

    /**
     * The results folder in the folder of a run.
     *
     * @return its name, different for each kind
     */
    String folder();

    /**
     * How the models run.
     *
     * @return the settings
     */
    MeasurementSettings settings();

    /**
     * The tasks whose runs are measured.
     *
     * @return their names; empty for all runs
     */
    default List<String> tasks() {
      return List.of();
    }

    /**
     * Whether the measurement is meant for a run.
     *
     * @param run the run
     * @return true if it names no tasks, or the task of the run
     */
    default boolean isOf(TrainingConfig run) {
      return tasks().isEmpty() || (run.task() != null && tasks().contains(run.task().name()));
    }

    /**
     * Whether the run is measured. A run that is not suitable is skipped.
     *
     * @param run the run
     * @return false if the measurement allows to skip a run and its model cannot be measured
     */
    default boolean suits(TrainingConfig run) {
      return true;
    }

    /**
     * Checks that data and machine can serve the measurement. Not called if all runs are on
     * strings.
     *
     * @param shards the data; a measurement that reads none leaves them closed
     */
    void requireFeasible(ShardSource shards);

    /**
     * Checks that a run can be measured.
     *
     * @param run the run
     */
    void requireFeasible(TrainingConfig run);

    /**
     * Measures the checkpoint of a run, or resumes.
     *
     * @param checkpoint the checkpoint
     * @param shards the data; a measurement that reads none leaves them closed
     * @param output the results folder
     * @param stopRequested read after each batch: whether to stop
     * @throws IOException if a file cannot be read or written
     * @throws java.util.concurrent.CancellationException if a stop was requested
     */
    void measure(
        Checkpoint checkpoint, ShardSource shards, Path output, BooleanSupplier stopRequested)
        throws IOException;
  }

  /**
   * A Kneser-Ney model of the training split, measured once for an experiment on the targets of its
   * perplexity measurement.
   *
   * @param order n, from 1 to {@link Baseline#LARGEST_ORDER}
   */
  @JsonTypeName("baseline")
  record NGrams(int order) implements MeasurementConfig {
    /** Requires an order that {@link Baseline} accepts. */
    public NGrams {
      Baseline.requireOrder(order);
    }
  }

  /**
   * The perplexity under several protocols at several lengths.
   *
   * @param lengths each T_ex in tokens
   * @param config how the perplexity is measured
   */
  @JsonTypeName("perplexity")
  record Perplexity(List<Integer> lengths, @JsonUnwrapped EvaluationConfig config)
      implements OfRun {

    /** Requires distinct lengths of at least 2 tokens. */
    public Perplexity {
      lengths = Checks.distinct("lengths", lengths);
      lengths.forEach(length -> Checks.atLeast("lengths", length, 2));
    }

    private Evaluation evaluation() {
      return new Evaluation(config, lengths);
    }

    @Override
    public String folder() {
      return "evaluation";
    }

    @Override
    public MeasurementSettings settings() {
      return config.settings();
    }

    @Override
    public void requireFeasible(ShardSource shards) {
      evaluation().requireFeasible(shards.folder());
    }

    @Override
    public void requireFeasible(TrainingConfig run) {
      MeasurementConfig.requireText(run);
      evaluation().requireFeasible(run.name(), run.position(), run::isScaledBy);
    }

    @Override
    public void measure(
        Checkpoint checkpoint, ShardSource shards, Path output, BooleanSupplier stopRequested)
        throws IOException {
      evaluation().run(List.of(checkpoint), List.of(), shards.folder(), output, stopRequested);
    }

    /**
     * Measures baselines on the targets of the runs, or resumes. No device decides their numbers.
     *
     * @param baselines the baselines
     * @param shards the data
     * @param output the results folder
     * @param stopRequested read repeatedly: whether to stop
     * @throws IOException if a file cannot be read or written
     * @throws java.util.concurrent.CancellationException if a stop was requested
     */
    void measure(
        List<Baseline> baselines, ShardSource shards, Path output, BooleanSupplier stopRequested)
        throws IOException {
      new Evaluation(config.onCpu(), lengths)
          .run(List.of(), baselines, shards.folder(), output, stopRequested);
    }
  }

  /**
   * The accuracy of classifiers of strings at several lengths.
   *
   * @param accuracy the strings and their settings
   * @param tasks the tasks whose runs are measured; all runs if empty
   */
  @JsonTypeName("accuracy")
  record Accuracies(
      @JsonUnwrapped Accuracy accuracy,
      @AbsentMeans(value = "[]", inYaml = true) List<String> tasks)
      implements OfRun {

    /** Copies the tasks. */
    public Accuracies {
      tasks = List.copyOf(tasks);
    }

    @Override
    public String folder() {
      return "accuracy";
    }

    @Override
    public MeasurementSettings settings() {
      return accuracy.config().settings();
    }

    @Override
    public void requireFeasible(ShardSource shards) {} // strings are drawn

    @Override
    public void requireFeasible(TrainingConfig run) {
      TaskConfig task = MeasurementConfig.requireStrings(run, "accuracy");
      accuracy.requireFeasible(run.name(), task, run.position());
    }

    @Override
    public void measure(
        Checkpoint checkpoint, ShardSource shards, Path output, BooleanSupplier stopRequested)
        throws IOException {
      accuracy.run(List.of(checkpoint), output, stopRequested);
    }
  }

  /**
   * The states of classifiers: a RegularGPT with one block is measured, every other run is skipped.
   *
   * @param states the strings and their settings
   * @param tasks the tasks whose runs are measured; all runs if empty
   */
  @JsonTypeName("states")
  record Outputs(
      @JsonUnwrapped States states, @AbsentMeans(value = "[]", inYaml = true) List<String> tasks)
      implements OfRun {

    /** Copies the tasks. */
    public Outputs {
      tasks = List.copyOf(tasks);
    }

    @Override
    public String folder() {
      return "states";
    }

    @Override
    public MeasurementSettings settings() {
      return states.settings();
    }

    @Override
    public boolean suits(TrainingConfig run) {
      return States.suits(run.position(), run.model().layers());
    }

    @Override
    public void requireFeasible(ShardSource shards) {} // strings are drawn

    @Override
    public void requireFeasible(TrainingConfig run) {
      MeasurementConfig.requireStrings(run, "states");
    }

    @Override
    public void measure(
        Checkpoint checkpoint, ShardSource shards, Path output, BooleanSupplier stopRequested)
        throws IOException {
      states.run(List.of(checkpoint), output, stopRequested);
    }
  }

  /**
   * The answers of language models to questions of several lengths.
   *
   * @param data the shard folder whose test split has the questions
   * @param lengths each length of a question in tokens
   * @param config the questions and their settings
   */
  @JsonTypeName("answers")
  record Answers(String data, Lengths lengths, @JsonUnwrapped AnswersConfig config)
      implements OfRun {

    @Override
    public String folder() {
      return "answers";
    }

    @Override
    public MeasurementSettings settings() {
      return config.settings();
    }

    @Override
    public void requireFeasible(ShardSource shards) {
      try (ShardSource questions = new ShardSource(data)) {
        questions.folder();
      }
    }

    @Override
    public void requireFeasible(TrainingConfig run) {
      MeasurementConfig.requireText(run);
      int longest = Collections.max(lengths.values());
      Feasibility.requireReads(
          run.name(), run.position(), "lengths up to " + longest, 2L * longest);
    }

    @Override
    public void measure(
        Checkpoint checkpoint, ShardSource shards, Path output, BooleanSupplier stopRequested)
        throws IOException {
      try (ShardSource questions = new ShardSource(data)) {
        AnswersMeasurement.run(
            config, lengths, List.of(checkpoint), questions.folder(), output, stopRequested);
      }
    }
  }

  /**
   * Receptive fields at several lengths. Each run is measured under the first of the scalings that
   * its scheme has. A run whose scheme can read none of the lengths is skipped.
   *
   * @param field the samples and their settings
   * @param tasks the tasks whose runs are measured; all runs if empty
   */
  @JsonTypeName("receptive-field")
  record ReceptiveFields(
      @JsonUnwrapped ReceptiveField field,
      @AbsentMeans(value = "[]", inYaml = true) List<String> tasks)
      implements OfRun {

    /** Copies the tasks. */
    public ReceptiveFields {
      tasks = List.copyOf(tasks);
    }

    @Override
    public String folder() {
      return "receptive-field";
    }

    @Override
    public MeasurementSettings settings() {
      return field.settings();
    }

    @Override
    public boolean suits(TrainingConfig run) {
      return field.lengths().get(0) <= run.position().longestLength();
    }

    @Override
    public void requireFeasible(ShardSource shards) {
      field.requireFeasible(shards.folder());
    }

    @Override
    public void requireFeasible(TrainingConfig run) {
      Feasibility.scalings(run.name(), run::isScaledBy, field.positionScaling());
      if (run.task() != null) {
        field.requireFeasible(run.task());
      }
    }

    @Override
    public void measure(
        Checkpoint checkpoint, ShardSource shards, Path output, BooleanSupplier stopRequested)
        throws IOException {
      ModelOrigin origin = checkpoint.origin();
      PositionScaling first =
          Feasibility.scalings(origin.name(), origin.model()::isScaledBy, field.positionScaling())
              .get(0);
      new ReceptiveField(
              field.lengths(), field.samples(), field.seed(), List.of(first), field.settings())
          .run(List.of(checkpoint), shards, output, stopRequested);
    }
  }
}
