package org.lengthwise.eval.experiment;

import ai.djl.Device;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.training.device.Devices;

/**
 * A place for one run at a time.
 *
 * @param name the place as people name it, such as gpu:1
 * @param device the device as the process that runs there names it
 * @param environment what that process's environment has beside this one's
 */
public record Slot(String name, String device, Map<String, String> environment) {
  private static final String VISIBLE_GPUS = "CUDA_VISIBLE_DEVICES";
  private static final String NUM_THREADS = "OMP_NUM_THREADS";

  /** Copies the map. */
  public Slot {
    environment = Map.copyOf(environment);
  }

  /**
   * The places that a list of devices stands for.
   *
   * @param names {@code cpu:2} (two runs at a time), {@code gpu:0}, {@code gpu:0,1} or {@code
   *     gpu:all}
   * @param environment the variables of this process
   * @param numCores the processor cores of this machine
   * @return one place for each device
   * @throws ConfigException if the names are none of these, or the machine has no such device
   */
  public static List<Slot> listOf(String names, Map<String, String> environment, int numCores) {
    List<Device> devices = Devices.listOf(names);
    int threads = Math.max(1, numCores / devices.size());
    return IntStream.range(0, devices.size())
        .mapToObj(
            number ->
                devices.get(number).isGpu()
                    ? gpu(devices.get(number).getDeviceId(), environment)
                    : cpu(number, threads, environment))
        .toList();
  }

  /** One of several on the CPU: cores are shared out, unless the user has done so. */
  static Slot cpu(int number, int threads, Map<String, String> environment) {
    return new Slot(
        "cpu, slot " + number,
        "cpu",
        environment.containsKey(NUM_THREADS)
            ? Map.of()
            : Map.of(NUM_THREADS, String.valueOf(threads)));
  }

  /**
   * A GPU, the only one that its process sees, so that none can take memory on another and results
   * name the same device wherever they were measured.
   */
  static Slot gpu(int index, Map<String, String> environment) {
    String visible = environment.getOrDefault(VISIBLE_GPUS, "");
    String identity =
        visible.isBlank() ? String.valueOf(index) : visible.split(",", -1)[index].strip();
    return new Slot("gpu:" + index, "gpu:0", Map.of(VISIBLE_GPUS, identity));
  }
}
