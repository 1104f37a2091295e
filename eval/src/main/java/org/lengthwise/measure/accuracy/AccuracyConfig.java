package org.lengthwise.measure.accuracy;

import java.util.List;
import org.lengthwise.automaton.Negatives;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.measure.MeasurementSettings;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.attention.Precision;

/**
 * How the accuracy of classifiers is measured, as in conf/accuracy.yaml. Strings are drawn for each
 * combination of negatives and p that the task of the classifier has.
 *
 * @param samples the number of strings of each length
 * @param negatives how strings outside a language are drawn, each once
 * @param p the probabilities of b in parity_check, each once; other tasks have 0.5 only
 * @param seed the seed of the strings
 * @param memoryLimitMegabytes as in {@link MeasurementSettings}
 * @param precision the format of the model's products
 * @param device {@code cpu} or {@code gpu:0}, {@code gpu:1}, ...
 */
public record AccuracyConfig(
    int samples,
    List<Negatives> negatives,
    List<Double> p,
    long seed,
    @AbsentMeans(value = "0", inYaml = true) int memoryLimitMegabytes,
    Precision precision,
    String device) {

  /** Requires at least one sample, and lists that are not empty and have each entry once. */
  public AccuracyConfig {
    Checks.atLeast("samples", samples, 1);
    negatives = distinct("negatives", negatives);
    p = distinct("p", p);
    p.forEach(probability -> Checks.within("p", probability, 0, 1));
    memoryLimitMegabytes =
        settings(seed, memoryLimitMegabytes, precision, device).memoryLimitMegabytes();
  }

  private static <T> List<T> distinct(String key, List<T> values) {
    Checks.require(
        !values.isEmpty() && values.stream().distinct().count() == values.size(),
        key,
        "at least one, each once",
        values);
    return List.copyOf(values);
  }

  MeasurementSettings settings() {
    return settings(seed, memoryLimitMegabytes, precision, device);
  }

  private static MeasurementSettings settings(
      long seed, int memoryLimitMegabytes, Precision precision, String device) {
    return new MeasurementSettings(
        seed, List.of(PositionScaling.NONE), memoryLimitMegabytes, precision, device);
  }
}
