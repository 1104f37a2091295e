package org.lengthwise.experiment;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.LayeredConfig;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.Nearest;
import org.lengthwise.measure.ExperimentRun;
import org.lengthwise.measure.MeasurementConfig;
import org.lengthwise.measure.MeasurementConfig.OfRun;
import org.lengthwise.measure.accuracy.Accuracy;
import org.lengthwise.measure.answers.Answers;
import org.lengthwise.measure.perplexity.Evaluation;
import org.lengthwise.measure.perplexity.NGrams;
import org.lengthwise.measure.probe.Probe;
import org.lengthwise.measure.recall.RecallTests;
import org.lengthwise.measure.receptivefield.ReceptiveField;
import org.lengthwise.measure.states.States;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.training.config.TaskConfig;

/**
 * The section {@code experiment} of an experiment file.
 *
 * @param data the shard folder; absent if all runs draw strings
 * @param columns the columns in the order of the report
 * @param blocks what every column does, such as training on a text and on each of several tasks:
 *     files, keys and seeds; the column's own ones override them. A run is named after its column
 *     and its block.
 * @param seeds the seeds of each column that names none; may be absent if all columns are imported
 * @param search the search for settings of each column in each block; absent for none
 * @param measurements the measurements of each run, each kind at most once for a task, and the
 *     baselines, each order at most once
 */
public record ExperimentConfig(
    @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Nullable String data,
    List<Column> columns,
    @AbsentMeans("[]") List<Column> blocks,
    @AbsentMeans("[]") List<Long> seeds,
    @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Nullable SearchConfig search,
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
        @JsonSubTypes({
          @JsonSubTypes.Type(Accuracy.class),
          @JsonSubTypes.Type(Answers.class),
          @JsonSubTypes.Type(NGrams.class),
          @JsonSubTypes.Type(Evaluation.class),
          @JsonSubTypes.Type(Probe.class),
          @JsonSubTypes.Type(RecallTests.class),
          @JsonSubTypes.Type(ReceptiveField.class),
          @JsonSubTypes.Type(States.class)
        })
        List<MeasurementConfig> measurements) {
  private static final String SECTION = "experiment";

  /**
   * Requires lists that are not empty and have each entry once, and a perplexity measurement if
   * there are baselines.
   */
  public ExperimentConfig {
    columns = Checks.distinct("columns", columns);
    seeds =
        columns.stream().allMatch(Column::isImported)
            ? List.copyOf(seeds)
            : Checks.distinct("seeds", seeds);
    blocks = blocks.isEmpty() ? List.of() : Checks.distinct("blocks", blocks);
    Checks.require(
        blocks.stream().noneMatch(Column::isImported), "blocks", "trained runs", "the key import");
    Checks.require(
        blocks.stream().allMatch(block -> block.blocks().isEmpty()),
        "blocks",
        "the key blocks in columns only",
        "it in a block");
    Checks.require(
        search == null || columns.stream().allMatch(column -> column.from() == null),
        "search",
        "none, because columns start from others, whose settings must be known",
        "a search");
    measurements = List.copyOf(measurements);
    Checks.require(
        all(measurements, OfRun.class).findAny().isPresent(),
        "measurements",
        "at least one",
        "none");
    all(measurements, OfRun.class)
        .collect(Collectors.groupingBy(OfRun::folder))
        .forEach(ExperimentConfig::requireDifferentTasks);
    List<Integer> orders = all(measurements, NGrams.class).map(NGrams::order).toList();
    if (!orders.isEmpty()) {
      Checks.require(
          search == null || !search.drawsTokens(),
          "search.space",
          "no steps, batch or length of the training, because baselines count the tokens that runs"
              + " read",
          "one of them");
      Checks.distinct("measurements", orders);
      Checks.require(
          all(measurements, Evaluation.class).findAny().isPresent(),
          "measurements",
          "a perplexity measurement, whose targets the baselines score",
          "baselines only");
    }
  }

  private static <T extends MeasurementConfig> Stream<T> all(
      List<MeasurementConfig> measurements, Class<T> kind) {
    return measurements.stream().filter(kind::isInstance).map(kind::cast);
  }

  /** Two measurements of one kind would have the same folder in a run. */
  private static void requireDifferentTasks(String kind, List<OfRun> measurements) {
    List<String> tasks = measurements.stream().flatMap(one -> one.tasks().stream()).toList();
    Checks.require(
        measurements.size() == 1
            || (measurements.stream().noneMatch(one -> one.tasks().isEmpty())
                && tasks.stream().distinct().count() == tasks.size()),
        "measurements",
        "each kind once, or each time with other tasks",
        kind + " several times");
  }

  /**
   * Checks that measurements name tasks that occur.
   *
   * @throws ConfigException if no run has one of the tasks
   */
  void requireKnownTasks(Collection<ExperimentRun> runs) {
    List<String> known =
        runs.stream().flatMap(run -> run.task().stream()).map(TaskConfig::name).distinct().toList();
    for (OfRun measurement : ofRuns()) {
      for (String task : measurement.tasks()) {
        if (!known.contains(task)) {
          throw new ConfigException(
              "tasks of the measurement " + measurement.folder(),
              known.isEmpty() ? "none, because all runs are on a text" : "one of " + known,
              task + Nearest.suggestion(task, known),
              "correct or remove it");
        }
      }
    }
  }

  /**
   * Checks that no run has the name of another one with changed positions, such as rope-yarn.
   *
   * @throws ConfigException if results of two models would have the same name
   */
  void requireDifferentNames(Collection<ExperimentRun> runs) {
    Set<String> names = runs.stream().map(ExperimentRun::name).collect(Collectors.toSet());
    for (OfRun measurement : ofRuns()) {
      for (PositionChange change : measurement.changes()) {
        for (ExperimentRun run : runs) {
          String changed = run.name() + change.suffix();
          if (!changed.equals(run.name()) && names.contains(changed) && run.allows(change)) {
            throw new ConfigException(
                "experiment.columns",
                "a name that no measurement gives to " + run.name(),
                changed,
                "rename the column");
          }
        }
      }
    }
  }

  /** The same section, whose measurements know the training lengths of all runs they measure. */
  ExperimentConfig among(Collection<ExperimentRun> runs) {
    return new ExperimentConfig(
        data,
        columns,
        blocks,
        seeds,
        search,
        measurements.stream().map(one -> among(one, runs)).toList());
  }

  private static MeasurementConfig among(
      MeasurementConfig measurement, Collection<ExperimentRun> runs) {
    return measurement instanceof OfRun ofRun
        ? ofRun.among(runs.stream().filter(ofRun::isOf).map(ExperimentRun::length).toList())
        : measurement;
  }

  /** The measurements of a run. */
  List<OfRun> ofRun(ExperimentRun run) {
    return ofRuns().stream().filter(measurement -> measurement.isOf(run)).toList();
  }

  /** The measurements of all runs. */
  List<OfRun> ofRuns() {
    return all(measurements, OfRun.class).toList();
  }

  /** The perplexity measurement, if there are baselines, which score its targets. */
  Optional<Evaluation> ofBaselines() {
    return baselineOrders().isEmpty()
        ? Optional.empty()
        : all(measurements, Evaluation.class).findAny();
  }

  List<Integer> baselineOrders() {
    return all(measurements, NGrams.class).map(NGrams::order).toList();
  }

  /**
   * Reads the section.
   *
   * @throws ConfigException if the section is missing or wrong
   */
  static ExperimentConfig of(LayeredConfig file) {
    return file.bind(SECTION, ExperimentConfig.class);
  }

  /** The settings that move every measurement with a device to the given one. */
  static List<String> onDevice(LayeredConfig file, String device) {
    List<String> settings = new ArrayList<>();
    JsonNode measurements = file.tree().path(SECTION).path("measurements");
    for (int i = 0; i < measurements.size(); i++) {
      if (measurements.path(i).has("device")) {
        settings.add(SECTION + ".measurements.%s.device=%s".formatted(i, device));
      }
    }
    return settings;
  }
}
