package org.lengthwise.experiment;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.lengthwise.automaton.Negatives;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.error.ConfigException;
import org.lengthwise.measure.Feasibility;
import org.lengthwise.measure.Lengths;
import org.lengthwise.measure.MeasurementSettings;
import org.lengthwise.measure.accuracy.Accuracy;
import org.lengthwise.measure.accuracy.AccuracyConfig;
import org.lengthwise.measure.answers.AnswersConfig;
import org.lengthwise.measure.answers.AnswersMeasurement;
import org.lengthwise.measure.perplexity.Baseline;
import org.lengthwise.measure.perplexity.Evaluation;
import org.lengthwise.measure.perplexity.EvaluationConfig;
import org.lengthwise.measure.perplexity.ProtocolConfig;
import org.lengthwise.measure.receptivefield.ReceptiveField;
import org.lengthwise.measure.states.States;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.config.TaskConfig;
import org.lengthwise.training.config.TrainingConfig;

/** A measurement of an experiment: an entry of {@code measurements}. */
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
     * The device of the models.
     *
     * @return such as {@code gpu:0}
     */
    String device();

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
   * The perplexity under several protocols at several lengths. The keys are those of
   * conf/evaluate.yaml and {@code lengths}.
   *
   * @param lengths each T_ex in tokens
   * @param protocols as in {@link EvaluationConfig}
   * @param seed as in {@link EvaluationConfig}
   * @param withinDocument as in {@link EvaluationConfig}
   * @param positionScaling as in {@link EvaluationConfig}
   * @param memoryLimitMegabytes as in {@link EvaluationConfig}
   * @param precision as in {@link EvaluationConfig}
   * @param device as in {@link EvaluationConfig}
   */
  @JsonTypeName("perplexity")
  record Perplexity(
      List<Integer> lengths,
      List<ProtocolConfig> protocols,
      long seed,
      boolean withinDocument,
      List<PositionScaling> positionScaling,
      @AbsentMeans(value = "0", inYaml = true) int memoryLimitMegabytes,
      Precision precision,
      String device)
      implements OfRun {

    /** Requires lengths of at least 2 tokens, and what {@link EvaluationConfig} requires. */
    public Perplexity {
      ExperimentConfig.requireLengths(lengths, 2);
      EvaluationConfig config =
          new EvaluationConfig(
              protocols,
              seed,
              withinDocument,
              positionScaling,
              memoryLimitMegabytes,
              precision,
              device);
      lengths = List.copyOf(lengths);
      protocols = config.protocols();
      positionScaling = config.positionScaling();
    }

    static Perplexity of(List<Integer> lengths, EvaluationConfig config) {
      return new Perplexity(
          lengths,
          config.protocols(),
          config.seed(),
          config.withinDocument(),
          config.positionScaling(),
          config.memoryLimitMegabytes(),
          config.precision(),
          config.device());
    }

    private Evaluation evaluation(String on) {
      return new Evaluation(
          new EvaluationConfig(
              protocols,
              seed,
              withinDocument,
              positionScaling,
              memoryLimitMegabytes,
              precision,
              on),
          lengths);
    }

    @Override
    public String folder() {
      return "evaluation";
    }

    @Override
    public void requireFeasible(ShardSource shards) {
      evaluation(device).requireFeasible(shards.folder());
    }

    @Override
    public void requireFeasible(TrainingConfig run) {
      MeasurementConfig.requireText(run);
      evaluation(device).requireFeasible(run.name(), run.position());
    }

    @Override
    public void measure(
        Checkpoint checkpoint, ShardSource shards, Path output, BooleanSupplier stopRequested)
        throws IOException {
      evaluation(device)
          .run(List.of(checkpoint), List.of(), shards.folder(), output, stopRequested);
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
      evaluation("cpu").run(List.of(), baselines, shards.folder(), output, stopRequested);
    }
  }

  /**
   * The accuracy of classifiers of strings at several lengths. The keys are those of
   * conf/accuracy.yaml and {@code lengths}.
   *
   * @param lengths each T in symbols
   * @param samples as in {@link AccuracyConfig}
   * @param negatives as in {@link AccuracyConfig}
   * @param p as in {@link AccuracyConfig}
   * @param seed as in {@link AccuracyConfig}
   * @param memoryLimitMegabytes as in {@link AccuracyConfig}
   * @param precision as in {@link AccuracyConfig}
   * @param device as in {@link AccuracyConfig}
   * @param tasks the tasks whose runs are measured; all runs if empty
   */
  @JsonTypeName("accuracy")
  record Accuracies(
      Lengths lengths,
      int samples,
      List<Negatives> negatives,
      List<Double> p,
      long seed,
      @AbsentMeans(value = "0", inYaml = true) int memoryLimitMegabytes,
      Precision precision,
      String device,
      @AbsentMeans(value = "[]", inYaml = true) List<String> tasks)
      implements OfRun {

    /** Requires a length, and what {@link AccuracyConfig} requires. */
    public Accuracies {
      tasks = List.copyOf(tasks);
      AccuracyConfig config =
          new AccuracyConfig(samples, negatives, p, seed, memoryLimitMegabytes, precision, device);
      negatives = config.negatives();
      p = config.p();
    }

    private Accuracy accuracy() {
      return new Accuracy(
          new AccuracyConfig(samples, negatives, p, seed, memoryLimitMegabytes, precision, device),
          lengths);
    }

    @Override
    public String folder() {
      return "accuracy";
    }

    @Override
    public void requireFeasible(ShardSource shards) {} // strings are drawn

    @Override
    public void requireFeasible(TrainingConfig run) {
      TaskConfig task = MeasurementConfig.requireStrings(run, "accuracy");
      accuracy().requireFeasible(run.name(), task, run.position());
    }

    @Override
    public void measure(
        Checkpoint checkpoint, ShardSource shards, Path output, BooleanSupplier stopRequested)
        throws IOException {
      accuracy().run(List.of(checkpoint), output, stopRequested);
    }
  }

  /**
   * The states of classifiers: a RegularGPT with one block is measured, every other run is skipped.
   *
   * @param length T in symbols
   * @param samples the number of strings
   * @param seed as in {@link MeasurementSettings}
   * @param memoryLimitMegabytes as in {@link MeasurementSettings}
   * @param precision as in {@link MeasurementSettings}
   * @param device as in {@link MeasurementSettings}
   * @param tasks the tasks whose runs are measured; all runs if empty
   */
  @JsonTypeName("states")
  record Outputs(
      int length,
      int samples,
      long seed,
      @AbsentMeans(value = "0", inYaml = true) int memoryLimitMegabytes,
      Precision precision,
      String device,
      @AbsentMeans(value = "[]", inYaml = true) List<String> tasks)
      implements OfRun {

    /** Requires what {@link States} and {@link MeasurementSettings} require. */
    public Outputs {
      tasks = List.copyOf(tasks);
      new States(length, samples);
      memoryLimitMegabytes =
          settings(seed, memoryLimitMegabytes, precision, device).memoryLimitMegabytes();
    }

    private static MeasurementSettings settings(
        long seed, int memoryLimitMegabytes, Precision precision, String device) {
      return new MeasurementSettings(
          seed, List.of(PositionScaling.NONE), memoryLimitMegabytes, precision, device);
    }

    @Override
    public String folder() {
      return "states";
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
      new States(length, samples)
          .run(
              List.of(checkpoint),
              settings(seed, memoryLimitMegabytes, precision, device),
              output,
              stopRequested);
    }
  }

  /**
   * The answers of language models to questions of several lengths. The keys are those of
   * conf/answers.yaml, {@code lengths} and {@code data}.
   *
   * @param data the shard folder whose test split has the questions
   * @param lengths each length of a question in tokens
   * @param samples as in {@link AnswersConfig}
   * @param separator as in {@link AnswersConfig}
   * @param trainedLength as in {@link AnswersConfig}
   * @param memoryLimitMegabytes as in {@link AnswersConfig}
   * @param precision as in {@link AnswersConfig}
   * @param device as in {@link AnswersConfig}
   */
  @JsonTypeName("answers")
  record Answers(
      String data,
      Lengths lengths,
      int samples,
      int separator,
      int trainedLength,
      @AbsentMeans(value = "0", inYaml = true) int memoryLimitMegabytes,
      Precision precision,
      String device)
      implements OfRun {

    /** Requires what {@link AnswersConfig} requires. */
    public Answers {
      memoryLimitMegabytes =
          new AnswersConfig(
                  samples, separator, trainedLength, memoryLimitMegabytes, precision, device)
              .memoryLimitMegabytes();
    }

    @Override
    public String folder() {
      return "answers";
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
      AnswersConfig config =
          new AnswersConfig(
              samples, separator, trainedLength, memoryLimitMegabytes, precision, device);
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
   * @param lengths each T, the positions of a sample
   * @param samples the number of samples of a curve
   * @param seed as in {@link MeasurementSettings}
   * @param positionScaling as in {@link MeasurementSettings}
   * @param memoryLimitMegabytes as in {@link MeasurementSettings}
   * @param precision as in {@link MeasurementSettings}
   * @param device as in {@link MeasurementSettings}
   * @param tasks the tasks whose runs are measured; all runs if empty
   */
  @JsonTypeName("receptive-field")
  record ReceptiveFields(
      List<Integer> lengths,
      int samples,
      long seed,
      List<PositionScaling> positionScaling,
      @AbsentMeans(value = "0", inYaml = true) int memoryLimitMegabytes,
      Precision precision,
      String device,
      @AbsentMeans(value = "[]", inYaml = true) List<String> tasks)
      implements OfRun {

    /** Requires what {@link ReceptiveField} and {@link MeasurementSettings} require. */
    public ReceptiveFields {
      tasks = List.copyOf(tasks);
      ExperimentConfig.requireLengths(lengths, 1);
      lengths = new ReceptiveField(lengths, samples).lengths();
      positionScaling =
          new MeasurementSettings(seed, positionScaling, memoryLimitMegabytes, precision, device)
              .positionScaling();
    }

    private MeasurementSettings settings() {
      return new MeasurementSettings(
          seed, positionScaling, memoryLimitMegabytes, precision, device);
    }

    @Override
    public String folder() {
      return "receptive-field";
    }

    @Override
    public boolean suits(TrainingConfig run) {
      return Collections.min(lengths) <= run.position().longestLength();
    }

    @Override
    public void requireFeasible(ShardSource shards) {
      new ReceptiveField(lengths, samples).requireFeasible(shards.folder());
    }

    @Override
    public void requireFeasible(TrainingConfig run) {
      Feasibility.scalings(run.name(), run.position(), positionScaling);
      if (run.task() != null) {
        new ReceptiveField(lengths, samples).requireFeasible(run.task());
      }
    }

    @Override
    public void measure(
        Checkpoint checkpoint, ShardSource shards, Path output, BooleanSupplier stopRequested)
        throws IOException {
      PositionScaling first =
          Feasibility.scalings(
                  checkpoint.origin().name(),
                  checkpoint.origin().model().position(),
                  positionScaling)
              .get(0);
      new ReceptiveField(lengths, samples)
          .run(List.of(checkpoint), shards, settings().with(first), output, stopRequested);
    }
  }
}
