package org.lengthwise.measure.probe;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.measure.MeasurementSettings;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.TestTemperature;

/**
 * How the zero-shot passkey is measured, as in conf/passkey.yaml.
 *
 * @param samples the number of prompts of each length and depth
 * @param depths the shares of the filler before the needle
 * @param filler what surrounds the needle
 * @param seed the seed of keys and text
 * @param positionScaling how positions beyond the training length are scaled, as for perplexities
 * @param temperature what scores are multiplied by, as for perplexities
 */
public record ProbeConfig(
    @Unit("prompts") int samples,
    List<Double> depths,
    Filler filler,
    long seed,
    @AbsentMeans("[\"none\"]") List<PositionScaling> positionScaling,
    @AbsentMeans("[\"none\"]") List<TestTemperature> temperature,
    @JsonUnwrapped MeasurementSettings settings) {

  /** What surrounds the needle. */
  public enum Filler {
    /** Tokens of the test split. */
    TEXT,
    /** Five sentences, repeated. */
    SENTENCES
  }

  /** Requires at least one prompt, and different shares and changes. */
  public ProbeConfig {
    Checks.atLeast("samples", samples, 1);
    depths = Checks.distinct("depths", depths);
    depths.forEach(depth -> Checks.within("depths", depth, 0, 1));
    positionScaling = Checks.distinct("position_scaling", positionScaling);
    temperature = Checks.distinct("temperature", temperature);
  }

  /** {@return the changes under which each model is measured, if it allows them} */
  public List<PositionChange> changes() {
    return PositionChange.all(positionScaling, temperature);
  }
}
