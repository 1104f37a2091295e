package org.lengthwise.eval.experiment;

import java.util.List;
import org.lengthwise.eval.perplexity.EvaluationConfig;

/**
 * The part of an experiment file that is not a training configuration.
 *
 * @param data the shard folder
 * @param columns position files, relative to the experiment file, in the order of the report
 * @param seeds the seeds of each column
 * @param lengths each T_ex in tokens
 * @param evaluation how perplexities are measured
 * @param receptiveField how receptive fields are measured
 */
public record ExperimentConfig(
    String data,
    List<String> columns,
    List<Long> seeds,
    List<Integer> lengths,
    EvaluationConfig evaluation,
    ReceptiveFieldSize receptiveField) {

  /** Checks the values. */
  public ExperimentConfig {
    columns = nonEmpty("columns", columns);
    seeds = nonEmpty("seeds", seeds);
    lengths = nonEmpty("lengths", lengths);
    if (lengths.stream().anyMatch(length -> length < 2)) {
      throw new IllegalArgumentException("lengths must be at least 2 tokens, found " + lengths);
    }
  }

  private static <T> List<T> nonEmpty(String key, List<T> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException(key + ": expected at least one, found none");
    }
    if (values.stream().distinct().count() < values.size()) {
      throw new IllegalArgumentException(key + ": expected each once, found " + values);
    }
    return List.copyOf(values);
  }

  /**
   * The size of a receptive-field measurement.
   *
   * @param lengths the positions of each chunk
   * @param samples over how many chunks a curve is averaged
   */
  public record ReceptiveFieldSize(List<Integer> lengths, int samples) {
    /** Checks the values. */
    public ReceptiveFieldSize {
      lengths = nonEmpty("lengths", lengths);
      if (lengths.stream().anyMatch(length -> length < 1)) {
        throw new IllegalArgumentException("lengths must be at least 1, found " + lengths);
      }
      if (samples < 2) {
        throw new IllegalArgumentException("samples must be at least 2, found " + samples);
      }
    }
  }
}
