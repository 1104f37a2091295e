package org.lengthwise.measure;

import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.device.Devices;

/**
 * How models run. All measurements of models share these settings.
 *
 * @param memoryLimitMegabytes how much memory the activations of a batch may take; 0 is half of the
 *     free memory on a GPU, and 1,024 on a CPU
 * @param precision the format of the model's products
 * @param device {@code cpu} or {@code gpu:0}, {@code gpu:1}, ...
 */
public record MeasurementSettings(
    @AbsentMeans("0") @Unit("MiB") int memoryLimitMegabytes, Precision precision, String device) {
  /** The memory limit on a CPU if none is configured. */
  private static final int ON_A_CPU = 1024;

  public MeasurementSettings {
    Checks.atLeast("memory_limit_megabytes", memoryLimitMegabytes, 0);
    if (memoryLimitMegabytes == 0 && device.equals("cpu")) {
      memoryLimitMegabytes = ON_A_CPU;
    }
  }

  /** {@return whether float32 products are TF32, by the environment; false on a CPU} */
  public boolean usesTf32() {
    return Devices.usesTf32(device, System.getenv(Devices.TF32));
  }
}
