package org.lengthwise.measure.perplexity;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.measure.MeasurementSettings;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.TestTemperature;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.config.Bos;

/**
 * How checkpoints are evaluated, as in conf/evaluate.yaml.
 *
 * @param protocols how windows are drawn and which of their tokens are scored, each protocol once
 * @param seed the seed of the samples; results of equal seeds are paired
 * @param withinDocument whether each window lies in one document that is at least as long as the
 *     longest window; otherwise windows cross document boundaries
 * @param positionScaling how positions beyond the training length are scaled: {@code none}, {@code
 *     interpolation}, {@code ntk} or {@code yarn}, or with a fixed factor {@code yarn:4} or {@code
 *     dynamic:4}, each scaling once; a scheme with nothing to scale is measured once, without
 *     scaling
 * @param temperature what scores are multiplied by: {@code none}, {@code log-length}, {@code log}
 *     or {@code floor}, or with an offset {@code log:100}, each once; a scheme that cannot have one
 *     is measured once, without
 * @param bos whether windows begin with BOS, for models that were trained so
 */
public record EvaluationConfig(
    List<ProtocolConfig> protocols,
    long seed,
    boolean withinDocument,
    List<PositionScaling> positionScaling,
    @AbsentMeans("[\"none\"]") List<TestTemperature> temperature,
    @AbsentMeans("\"auto\"") Bos bos,
    @JsonUnwrapped MeasurementSettings settings) {

  public EvaluationConfig {
    Checks.require(
        protocols.stream().map(ProtocolConfig::protocol).distinct().count() == protocols.size(),
        "protocols",
        "at least one, each once",
        protocols);
    protocols = Checks.distinct("protocols", protocols);
    positionScaling = Checks.distinct("position_scaling", positionScaling);
    temperature = Checks.distinct("temperature", temperature);
  }

  /** {@return the changes under which each model is measured, if it allows them} */
  public List<PositionChange> changes() {
    return PositionChange.all(positionScaling, temperature);
  }

  /** {@return the settings of conf/evaluate.yaml with another protocol} */
  public static EvaluationConfig of(ProtocolConfig protocol) {
    return new EvaluationConfig(
        List.of(protocol),
        2023,
        false,
        List.of(PositionScaling.NONE),
        List.of(TestTemperature.NONE),
        Bos.AUTO,
        new MeasurementSettings(0, Precision.FLOAT32, "cpu"));
  }

  public EvaluationConfig withSamples(int samples) {
    return with(
        protocols.stream().map(protocol -> protocol.withSamples(samples)).toList(), settings);
  }

  public EvaluationConfig onCpu() {
    return with(
        protocols,
        new MeasurementSettings(settings.memoryLimitMegabytes(), settings.precision(), "cpu"));
  }

  private EvaluationConfig with(List<ProtocolConfig> others, MeasurementSettings run) {
    return new EvaluationConfig(
        others, seed, withinDocument, positionScaling, temperature, bos, run);
  }
}
