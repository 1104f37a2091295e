package org.lengthwise.measure;

import java.util.List;
import org.lengthwise.config.Checks;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.attention.Precision;

/**
 * The settings that all measurements of models share.
 *
 * @param seed the seed of the samples; results of equal seeds are paired
 * @param positionScaling how positions beyond the training length are scaled, each scaling once; a
 *     scheme without rotations is measured once, without scaling
 * @param memoryLimitMegabytes how much memory the activations of a batch may take
 * @param precision the format of the model's products
 * @param device {@code cpu} or {@code gpu:0}, {@code gpu:1}, ...
 */
public record MeasurementSettings(
    long seed,
    List<PositionScaling> positionScaling,
    int memoryLimitMegabytes,
    Precision precision,
    String device) {

  /** Requires distinct scalings and a memory limit of at least 1. */
  public MeasurementSettings {
    Checks.require(
        !positionScaling.isEmpty()
            && positionScaling.stream().distinct().count() == positionScaling.size(),
        "position_scaling",
        "at least one, each once",
        positionScaling);
    positionScaling = List.copyOf(positionScaling);
    Checks.atLeast("memory_limit_megabytes", memoryLimitMegabytes, 1);
  }

  /**
   * The same settings with one scaling.
   *
   * @param scaling the scaling
   * @return the settings
   */
  public MeasurementSettings with(PositionScaling scaling) {
    return new MeasurementSettings(seed, List.of(scaling), memoryLimitMegabytes, precision, device);
  }
}
