package org.lengthwise.measure.accuracy;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.lengthwise.automaton.Negatives;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.measure.MeasurementSettings;

/**
 * How the accuracy of classifiers is measured, as in conf/accuracy.yaml. Strings are drawn for each
 * combination of negatives and p that the task of the classifier has.
 *
 * @param samples the number of strings of each length
 * @param negatives how strings outside a language are drawn; draws that a task does not have are
 *     skipped
 * @param p the probabilities of b in parity_check, each once; other tasks have 0.5 only
 * @param seed the seed of the strings
 */
public record AccuracyConfig(
    @Unit("strings") int samples,
    List<Negatives> negatives,
    List<Double> p,
    long seed,
    @JsonUnwrapped MeasurementSettings settings) {

  /** Requires at least one sample, and lists that are not empty and have each entry once. */
  public AccuracyConfig {
    Checks.atLeast("samples", samples, 1);
    negatives = Checks.distinct("negatives", negatives);
    p = Checks.distinct("p", p);
    p.forEach(probability -> Checks.within("p", probability, 0, 1));
  }
}
