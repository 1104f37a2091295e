package org.lengthwise.measure.probe;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.measure.MeasurementSettings;

/**
 * How the zero-shot passkey is measured, as in conf/passkey.yaml.
 *
 * @param samples the number of prompts of each length and depth
 * @param depths the shares of the filler before the needle
 * @param filler what surrounds the needle
 * @param seed the seed of keys and text
 * @param settings how models run
 */
public record ProbeConfig(
    @Unit("prompts") int samples,
    List<Double> depths,
    Filler filler,
    long seed,
    @JsonUnwrapped MeasurementSettings settings) {

  /** What surrounds the needle. */
  public enum Filler {
    /** Tokens of the test split. */
    TEXT,
    /** Five sentences, repeated. */
    SENTENCES
  }

  /** Requires at least one prompt, and different shares. */
  public ProbeConfig {
    Checks.atLeast("samples", samples, 1);
    depths = Checks.distinct("depths", depths);
    depths.forEach(depth -> Checks.within("depths", depth, 0, 1));
  }
}
