package org.lengthwise.measure;

import java.util.List;
import org.lengthwise.config.Checks;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.device.Devices;

/**
 * The settings that all measurements of models share.
 *
 * @param seed the seed of the samples; results of equal seeds are paired
 * @param positionScaling how positions beyond the training length are scaled, each scaling once; a
 *     scheme without rotations is measured once, without scaling
 * @param memoryLimitMegabytes how much memory the activations of a batch may take, in units of 2^20
 *     bytes; 0 is a share of the free memory on a GPU, and 1,024 on a CPU
 * @param precision the format of the model's products
 * @param device {@code cpu} or {@code gpu:0}, {@code gpu:1}, ...
 */
public record MeasurementSettings(
    long seed,
    List<PositionScaling> positionScaling,
    int memoryLimitMegabytes,
    Precision precision,
    String device) {
  /** The memory limit on a CPU if none is configured. */
  private static final int ON_A_CPU = 1024;

  /** Requires distinct scalings and a memory limit of at least 0. */
  public MeasurementSettings {
    Checks.require(
        !positionScaling.isEmpty()
            && positionScaling.stream().distinct().count() == positionScaling.size(),
        "position_scaling",
        "at least one, each once",
        positionScaling);
    positionScaling = List.copyOf(positionScaling);
    Checks.atLeast("memory_limit_megabytes", memoryLimitMegabytes, 0);
    if (memoryLimitMegabytes == 0 && device.equals("cpu")) {
      memoryLimitMegabytes = ON_A_CPU;
    }
  }

  /**
   * Whether products in float32 are TF32, by the environment of this process.
   *
   * @return false on a CPU
   */
  public boolean usesTf32() {
    return Devices.usesTf32(device, System.getenv(Devices.TF32));
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
