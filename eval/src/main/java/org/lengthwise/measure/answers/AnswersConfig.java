package org.lengthwise.measure.answers;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.measure.MeasurementSettings;

/**
 * How answers are measured, as in conf/answers.yaml.
 *
 * @param samples the number of documents for each length of x
 * @param separator the token between x and y
 * @param trainedLength the longest x of the training; reports show longer ones apart
 */
public record AnswersConfig(
    @Unit("documents") int samples,
    @Unit("token id") int separator,
    @Unit("tokens") int trainedLength,
    @JsonUnwrapped MeasurementSettings settings) {

  /** Requires at least one sample, a token, and a length of at least 1. */
  public AnswersConfig {
    Checks.atLeast("samples", samples, 1);
    Checks.atLeast("separator", separator, 0);
    Checks.atLeast("trained_length", trainedLength, 1);
  }
}
