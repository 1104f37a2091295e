package org.lengthwise.measure.answers;

import java.util.List;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.measure.MeasurementSettings;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.attention.Precision;

/**
 * How answers are measured, as in conf/answers.yaml.
 *
 * @param samples the number of documents for each length of x
 * @param separator the token between x and y
 * @param trainedLength the longest x of the training; reports show longer ones apart
 * @param memoryLimitMegabytes as in {@link MeasurementSettings}
 * @param precision the format of the model's products
 * @param device {@code cpu} or {@code gpu:0}, {@code gpu:1}, ...
 */
public record AnswersConfig(
    int samples,
    int separator,
    int trainedLength,
    @AbsentMeans(value = "0", inYaml = true) int memoryLimitMegabytes,
    Precision precision,
    String device) {

  /** Requires at least one sample, a token, and a length of at least 1. */
  public AnswersConfig {
    Checks.atLeast("samples", samples, 1);
    Checks.atLeast("separator", separator, 0);
    Checks.atLeast("trained_length", trainedLength, 1);
    memoryLimitMegabytes = settings(memoryLimitMegabytes, precision, device).memoryLimitMegabytes();
  }

  MeasurementSettings settings() {
    return settings(memoryLimitMegabytes, precision, device);
  }

  private static MeasurementSettings settings(
      int memoryLimitMegabytes, Precision precision, String device) {
    return new MeasurementSettings(
        0, List.of(PositionScaling.NONE), memoryLimitMegabytes, precision, device);
  }
}
