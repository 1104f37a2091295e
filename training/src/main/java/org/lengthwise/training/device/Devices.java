package org.lengthwise.training.device;

import ai.djl.Device;
import ai.djl.engine.Engine;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lengthwise.dataprep.ConfigException;

/** Devices by the names that users give them. */
public final class Devices {
  private static final Pattern GPU = Pattern.compile("gpu(?::(\\d+)|\\((\\d+)\\))?");

  private Devices() {}

  /**
   * The device with a name.
   *
   * @param name {@code cpu}, {@code gpu}, {@code gpu:1} or {@code gpu(1)}
   * @return the device
   * @throws ConfigException if the name is none of these, or the machine has no such device
   */
  public static Device of(String name) {
    if (name.equals("cpu")) {
      return Device.cpu();
    }
    Matcher matcher = GPU.matcher(name);
    if (!matcher.matches()) {
      throw new ConfigException(
          "device", "cpu or gpu:0, gpu:1, ...", "'" + name + "'", "name one of these");
    }
    String digits = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
    int index = digits == null ? 0 : Integer.parseInt(digits);
    int available = Engine.getEngine("PyTorch").getGpuCount();
    if (index >= available) {
      throw new ConfigException(
          "device",
          "a CUDA device with index " + index,
          available + " CUDA devices",
          "use cpu, or give the engine a CUDA libtorch (PYTORCH_FLAVOR or PYTORCH_LIBRARY_PATH)");
    }
    return Device.gpu(index);
  }
}
