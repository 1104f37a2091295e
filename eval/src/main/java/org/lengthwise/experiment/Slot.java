package org.lengthwise.experiment;

import ai.djl.Device;
import ai.djl.pytorch.jni.JniUtils;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.lengthwise.error.ConfigException;
import org.lengthwise.measure.BatchPlan;
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

  /** The runs at a time on each device, at the end of a list: {@code *4}. */
  private static final Pattern SHARES = Pattern.compile("(gpu:.+|cpu)\\*([1-9]\\d?)");

  /** The engine, the heap and the evaluation of a run, with room to spare. */
  private static final long BYTES_OF_PROCESS = 1L << 30;

  /** Copies the environment. */
  public Slot {
    environment = Map.copyOf(environment);
  }

  /**
   * {@return the slots of a list of devices, one for each device, or several: those of all devices
   * come before the second ones}
   *
   * @param names {@code cpu:2} or {@code cpu*2} (two runs at a time), {@code gpu:0}, {@code
   *     gpu:0,1}, {@code gpu:all}, or {@code gpu:0*4} (four runs at a time on a GPU)
   * @param environment the variables of this process
   * @param numCores the processor cores of this machine
   * @throws ConfigException if a name is unknown, or the machine does not have the device
   */
  public static List<Slot> listOf(String names, Map<String, String> environment, int numCores) {
    Matcher shares = SHARES.matcher(names);
    boolean isShared = shares.matches();
    List<Device> devices = Devices.listOf(isShared ? shares.group(1) : names);
    int numShares = isShared ? Integer.parseInt(shares.group(2)) : 1;
    int threads = Math.max(1, numCores / (devices.size() * numShares));
    return IntStream.range(0, devices.size() * numShares)
        .mapToObj(
            number -> {
              Device device = devices.get(number % devices.size());
              return device.isGpu()
                  ? gpu(device.getDeviceId(), number / devices.size(), numShares, environment)
                  : cpu(number, threads, environment);
            })
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
   * A GPU, or a share of it. Its process sees no other GPU, so it cannot take memory there. All
   * results name the same device.
   *
   * @param share the number of the slot on its GPU
   * @param numShares the slots of the GPU, which divide its memory in measurements
   */
  static Slot gpu(int index, int share, int numShares, Map<String, String> environment) {
    String visible = environment.getOrDefault(VISIBLE_GPUS, "");
    String identity =
        visible.isBlank() ? String.valueOf(index) : visible.split(",", -1)[index].strip();
    String name = "gpu:" + index + (numShares > 1 ? ", slot " + share : "");
    return new Slot(
        name,
        "gpu:0",
        numShares > 1
            ? Map.of(VISIBLE_GPUS, identity, BatchPlan.GPU_SHARES, String.valueOf(numShares))
            : Map.of(VISIBLE_GPUS, identity));
  }
}
