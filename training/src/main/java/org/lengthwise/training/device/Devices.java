package org.lengthwise.training.device;

import ai.djl.Device;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lengthwise.dataprep.ConfigException;

/** Devices by the names that users give them. */
public final class Devices {
  private static final Pattern GPU = Pattern.compile("gpu(?::(\\d+)|\\((\\d+)\\))?");

  private static final Pattern CPUS = Pattern.compile("cpu(?::([1-9]\\d{0,2}))?");
  private static final Pattern GPUS = Pattern.compile("gpu:(all|\\d+(?:,\\d+)*)");

  private Devices() {}

  /**
   * The devices of a run's replicas.
   *
   * @param names {@code cpu}, {@code cpu:2} (replicas that share the CPU), {@code gpu:0}, {@code
   *     gpu:0,1} or {@code gpu:all}
   * @return one device for each replica
   * @throws ConfigException if the names are none of these, the machine has no such device, or the
   *     engine's libraries are not there
   */
  public static List<Device> listOf(String names) {
    if (CPUS.matcher(names).matches()) {
      EngineLibrary.load();
      return Collections.nCopies(cpuOrOne(names), Device.cpu());
    }
    Matcher gpus = GPUS.matcher(names);
    if (!gpus.matches()) {
      return List.of(of(names));
    }
    return gpuIndexes(gpus.group(1), numGpus()).stream().map(index -> of("gpu:" + index)).toList();
  }

  /**
   * How many replicas a run has, whether the machine has the devices or not.
   *
   * @param names as for {@link #listOf}
   * @return the number of names; of {@code gpu:all} that of the machine's GPUs, at least 1
   */
  public static int numReplicas(String names) {
    Matcher gpus = GPUS.matcher(names);
    return gpus.matches() ? gpuIndexes(gpus.group(1), numGpus()).size() : cpuOrOne(names);
  }

  private static int cpuOrOne(String names) {
    Matcher cpus = CPUS.matcher(names);
    return cpus.matches() && cpus.group(1) != null ? Integer.parseInt(cpus.group(1)) : 1;
  }

  /**
   * How many CUDA devices the engine finds.
   *
   * @return 0 where there are none, or where the engine was built without CUDA
   */
  public static int numGpus() {
    return EngineLibrary.load().getGpuCount();
  }

  /** The indexes that "all" or a list of numbers stands for. */
  static List<Integer> gpuIndexes(String names, int available) {
    if (names.equals("all")) {
      return IntStream.range(0, Math.max(1, available)).boxed().toList();
    }
    List<Integer> indexes = Stream.of(names.split(",")).map(Integer::valueOf).toList();
    if (Set.copyOf(indexes).size() < indexes.size()) {
      throw new ConfigException(
          "device", "each GPU once", "gpu:" + names, "name every GPU no more than once");
    }
    return indexes;
  }

  /**
   * The device with a name.
   *
   * @param name {@code cpu}, {@code gpu}, {@code gpu:1} or {@code gpu(1)}
   * @return the device
   * @throws ConfigException if the name is none of these, the machine has no such device, or the
   *     engine's libraries are not there
   */
  public static Device of(String name) {
    if (name.equals("cpu")) {
      EngineLibrary.load();
      return Device.cpu();
    }
    Matcher matcher = GPU.matcher(name);
    if (!matcher.matches()) {
      throw new ConfigException(
          "device",
          "cpu or gpu:0, gpu:1, ...; to train also cpu:2, gpu:0,1 or gpu:all",
          "'" + name + "'",
          "name one of these");
    }
    String digits = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
    int index = digits == null ? 0 : Integer.parseInt(digits);
    int available = numGpus();
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
