package org.lengthwise.experiment;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.LayeredConfig;
import org.lengthwise.error.ConfigException;
import org.lengthwise.experiment.MeasurementConfig.NGrams;
import org.lengthwise.experiment.MeasurementConfig.OfRun;
import org.lengthwise.experiment.MeasurementConfig.Perplexity;
import org.lengthwise.measure.perplexity.EvaluationConfig;

/**
 * The section {@code experiment} of an experiment file.
 *
 * @param data the shard folder; null if all runs draw strings
 * @param columns position files, relative to the experiment file, in the order of the report
 * @param seeds the seeds of each column
 * @param measurements the measurements of each run, each kind at most once, and the baselines, each
 *     order at most once
 */
public record ExperimentConfig(
    @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans(value = "null", inYaml = true)
        @Nullable String data,
    List<String> columns,
    List<Long> seeds,
    List<MeasurementConfig> measurements) {
  private static final String SECTION = "experiment";

  /**
   * Requires lists that are not empty and have each entry once, and a perplexity measurement if
   * there are baselines.
   */
  public ExperimentConfig {
    columns = nonEmpty("columns", columns);
    seeds = nonEmpty("seeds", seeds);
    measurements = List.copyOf(measurements);
    nonEmpty("measurements", all(measurements, OfRun.class).map(OfRun::folder).toList());
    List<Integer> orders = all(measurements, NGrams.class).map(NGrams::order).toList();
    if (!orders.isEmpty()) {
      nonEmpty("measurements", orders);
      Checks.require(
          all(measurements, Perplexity.class).findAny().isPresent(),
          "measurements",
          "a perplexity measurement, whose targets the baselines score",
          "baselines only");
    }
  }

  private static <T extends MeasurementConfig> Stream<T> all(
      List<MeasurementConfig> measurements, Class<T> kind) {
    return measurements.stream().filter(kind::isInstance).map(kind::cast);
  }

  /** The measurements of each run. */
  List<OfRun> ofRuns() {
    return all(measurements, OfRun.class).toList();
  }

  /** The perplexity measurement, if there are baselines, which score its targets. */
  Optional<Perplexity> ofBaselines() {
    return baselineOrders().isEmpty()
        ? Optional.empty()
        : all(measurements, Perplexity.class).findAny();
  }

  /** The orders of the baselines. */
  List<Integer> baselineOrders() {
    return all(measurements, NGrams.class).map(NGrams::order).toList();
  }

  private static <T> List<T> nonEmpty(String key, List<T> values) {
    Checks.require(!values.isEmpty(), key, "at least one", "none");
    Checks.require(
        values.stream().distinct().count() == values.size(), key, "each value once", values);
    return List.copyOf(values);
  }

  static void requireLengths(List<Integer> lengths, int least) {
    nonEmpty("lengths", lengths).forEach(length -> Checks.atLeast("lengths", length, least));
  }

  /**
   * Reads the section. The keys {@code lengths}, {@code evaluation} and {@code receptive_field} in
   * the place of {@code measurements} are an older form of the two measurements.
   *
   * @param file an experiment file
   * @return the section
   * @throws ConfigException if the section is missing or wrong
   */
  static ExperimentConfig of(LayeredConfig file) {
    return hasOlderForm(file)
        ? file.bind(SECTION, OlderForm.class).current()
        : file.bind(SECTION, ExperimentConfig.class);
  }

  private static boolean hasOlderForm(LayeredConfig file) {
    JsonNode section = file.tree().path(SECTION);
    return section.has("evaluation") && !section.has("measurements");
  }

  /** The settings that move every measurement with a device to the given one. */
  static List<String> onDevice(LayeredConfig file, String device) {
    if (hasOlderForm(file)) {
      return List.of(SECTION + ".evaluation.device=" + device);
    }
    List<String> settings = new ArrayList<>();
    JsonNode measurements = file.tree().path(SECTION).path("measurements");
    for (int i = 0; i < measurements.size(); i++) {
      if (measurements.path(i).has("device")) {
        settings.add(SECTION + ".measurements.%d.device=%s".formatted(i, device));
      }
    }
    return settings;
  }

  /**
   * The section as it was before the key {@code measurements}.
   *
   * @param data the shard folder
   * @param columns position files
   * @param seeds the seeds of each column
   * @param lengths each T_ex in tokens
   * @param evaluation how perplexities are measured; its other settings serve receptive fields too
   * @param receptiveField the size of the measurement of receptive fields
   */
  record OlderForm(
      String data,
      List<String> columns,
      List<Long> seeds,
      List<Integer> lengths,
      EvaluationConfig evaluation,
      FieldSize receptiveField) {

    record FieldSize(List<Integer> lengths, int samples) {}

    ExperimentConfig current() {
      return new ExperimentConfig(
          data,
          columns,
          seeds,
          List.of(
              Perplexity.of(lengths, evaluation),
              new MeasurementConfig.ReceptiveFields(
                  receptiveField.lengths(),
                  receptiveField.samples(),
                  evaluation.seed(),
                  evaluation.positionScaling(),
                  evaluation.memoryLimitMegabytes(),
                  evaluation.precision(),
                  evaluation.device())));
    }
  }
}
