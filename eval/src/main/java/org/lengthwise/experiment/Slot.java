package org.lengthwise.experiment;

import ai.djl.Device;
import ai.djl.pytorch.jni.JniUtils;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.lengthwise.error.ConfigException;
import org.lengthwise.training.device.Devices;

/**
 * A device, or a part of the CPU, for one run at a time.
 *
 * @param name the name in messages, such as gpu:1
 * @param device the name of the device within the process of a run
 * @param environment additional environment variables of that process
 */
public record Slot(String name, String device, Map<String, String> environment) {
  private static final String VISIBLE_GPUS = "CUDA_VISIBLE_DEVICES";
  private static final String NUM_THREADS = "OMP_NUM_THREADS";

  /** The engine, the heap and the evaluation of a run, with room to spare. */
  private static final long BYTES_OF_PROCESS = 1L << 30;

  /** Copies the environment. */
  public Slot {
    environment = Map.copyOf(environment);
  }

  /**
   * {@return the slots of a list of devices, one for each device}
   *
   * @param names {@code cpu:2} (two runs at a time), {@code gpu:0}, {@code gpu:0,1} or {@code
   *     gpu:all}
   * @param environment the variables of this process
   * @param numCores the processor cores of this machine
   * @throws ConfigException if a name is unknown, or the machine does not have the device
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

  /**
   * {@return whether two runs at a time, each with one thread, are faster than one run with all
   * threads and fit the memory, so that runs are queued on {@code cpu:2}} This was measured on two
   * cores: small products gain little from a second thread.
   *
   * @param bytesOfRun the memory of a run's tensors
   * @param environment the variables of this process; a number of threads there is kept
   * @param numCores the processor cores of this machine
   * @param memoryBytes the memory of this machine
   */
  public static boolean prefersTwo(
      long bytesOfRun, Map<String, String> environment, int numCores, long memoryBytes) {
    return numCores == 2
        && !environment.containsKey(NUM_THREADS)
        && 2 * (bytesOfRun + BYTES_OF_PROCESS) <= memoryBytes;
  }

  /**
   * Gives this process the threads of a run in the slot, for a measurement of time. The engine is
   * loaded.
   */
  public void takeThreads() {
    Optional.ofNullable(environment.get(NUM_THREADS))
        .ifPresent(threads -> JniUtils.setNumThreads(Integer.parseInt(threads)));
  }

  /**
   * One of several slots on the CPU, which share the cores unless the user has set their number.
   */
  static Slot cpu(int number, int threads, Map<String, String> environment) {
    return new Slot(
        "cpu, slot " + number,
        "cpu",
        environment.containsKey(NUM_THREADS)
            ? Map.of()
            : Map.of(NUM_THREADS, String.valueOf(threads)));
  }

  /**
   * A GPU. Its process sees no other GPU, so it cannot take memory there. All results name the same
   * device.
   */
  static Slot gpu(int index, Map<String, String> environment) {
    String visible = environment.getOrDefault(VISIBLE_GPUS, "");
    String identity =
        visible.isBlank() ? String.valueOf(index) : visible.split(",", -1)[index].strip();
    return new Slot("gpu:" + index, "gpu:0", Map.of(VISIBLE_GPUS, identity));
  }
}
