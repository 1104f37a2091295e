package org.lengthwise.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.config.Checks;

/**
 * One line of {@code states.jsonl}: the outputs of one RegularGPT for the windows of all levels,
 * and the maps of the strings below them. In the file the keys of the parts are on one level.
 */
public record StatesResult(
    int formatVersion,
    String metric,
    @JsonUnwrapped EvaluatedCheckpoint subject,
    ModelState weights,
    @JsonUnwrapped Strings strings,
    @JsonUnwrapped Outputs outputs,
    List<Level> projection,
    BuildInfo build) {
  public static final int FORMAT_VERSION = 1;

  public static final String METRIC = "states";

  /**
   * The strings of a line.
   *
   * @param length T, the length that was requested of the sampler
   */
  public record Strings(String task, int length, int samples, long samplesSeed) {
    public Strings {
      Checks.atLeast("length", length, 1);
      Checks.atLeast("samples", samples, 1);
    }
  }

  /**
   * The outputs of all strings, in all d dimensions. The class of an output is the map of the
   * string below it.
   *
   * @param numOutputs the number of different outputs, with numbers rounded to three decimals
   * @param nearestShare the share of outputs whose nearest class mean is that of their own map
   * @param withinOverBetween the mean distance between an output and the mean of its class, divided
   *     by the mean distance between class means; null with one class, and if all means are equal
   * @param variance the shares of the first two principal components in the variance
   */
  public record Outputs(
      long count,
      int numMaps,
      int numOutputs,
      double nearestShare,
      @Nullable Double withinOverBetween,
      List<Double> variance) {
    public Outputs {
      variance = List.copyOf(variance);
      Checks.atLeast("count", count, 1);
      Checks.require(variance.size() == 2, "variance", "2 shares", variance);
    }
  }

  /**
   * The outputs of a level for the first string, from the earliest window to the last.
   *
   * @param x the coordinates along the first principal component of all outputs
   * @param y the coordinates along the second
   */
  public record Level(List<Double> x, List<Double> y) {
    public Level {
      x = List.copyOf(x);
      y = List.copyOf(y);
      Checks.require(x.size() == y.size(), "y", x.size() + " coordinates", y.size());
    }
  }

  public StatesResult {
    projection = List.copyOf(projection);
    Checks.require(
        formatVersion == FORMAT_VERSION, "format_version", "" + FORMAT_VERSION, formatVersion);
    Checks.require(metric.equals(METRIC), "metric", METRIC, metric);
  }

  /** {@return a result of this build} */
  public static StatesResult of(
      EvaluatedCheckpoint subject,
      ModelState weights,
      Strings strings,
      Outputs outputs,
      List<Level> projection) {
    return new StatesResult(
        FORMAT_VERSION,
        METRIC,
        subject,
        weights,
        strings,
        outputs,
        projection,
        BuildInfo.current());
  }

  public String run() {
    return subject.run();
  }
}
