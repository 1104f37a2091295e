package org.lengthwise.measure.perplexity;

import java.util.List;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.measure.MeasurementSettings;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.attention.Precision;

/**
 * How checkpoints are evaluated, as in conf/evaluate.yaml.
 *
 * @param protocols how windows are drawn and which of their tokens are scored, each protocol once
 * @param seed the seed of the samples; results of equal seeds are paired
 * @param withinDocument whether each window lies in one document that is at least as long as the
 *     longest window; otherwise windows cross document boundaries
 * @param positionScaling how positions beyond the training length are scaled, each scaling once
 * @param memoryLimitMegabytes as in {@link MeasurementSettings}
 * @param precision the format of the model's products
 * @param device {@code cpu} or {@code gpu:0}, {@code gpu:1}, ...
 */
public record EvaluationConfig(
    List<ProtocolConfig> protocols,
    long seed,
    boolean withinDocument,
    List<PositionScaling> positionScaling,
    @AbsentMeans(value = "0", inYaml = true) int memoryLimitMegabytes,
    Precision precision,
    String device) {

  /** Requires distinct protocols, and settings that {@link MeasurementSettings} accepts. */
  public EvaluationConfig {
    Checks.require(
        !protocols.isEmpty()
            && protocols.stream().map(ProtocolConfig::protocol).distinct().count()
                == protocols.size(),
        "protocols",
        "at least one, each once",
        protocols);
    protocols = List.copyOf(protocols);
    MeasurementSettings settings =
        new MeasurementSettings(seed, positionScaling, memoryLimitMegabytes, precision, device);
    positionScaling = settings.positionScaling();
    memoryLimitMegabytes = settings.memoryLimitMegabytes();
  }

  /**
   * The settings that do not concern protocols.
   *
   * @return the settings
   */
  public MeasurementSettings settings() {
    return new MeasurementSettings(seed, positionScaling, memoryLimitMegabytes, precision, device);
  }

  /**
   * The same configuration with another number of samples under each protocol.
   *
   * @param samples the number of samples
   * @return the configuration
   */
  public EvaluationConfig withSamples(int samples) {
    return new EvaluationConfig(
        protocols.stream().map(protocol -> protocol.withSamples(samples)).toList(),
        seed,
        withinDocument,
        positionScaling,
        memoryLimitMegabytes,
        precision,
        device);
  }
}
