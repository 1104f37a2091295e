package org.lengthwise.training.device;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.engine.EngineException;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.jni.JniUtils;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.Count;
import org.lengthwise.progress.Allocation;

/** Devices by the names in configurations and options. */
public final class Devices {
  /**
   * The environment variable that turns on TF32: with 1, libtorch computes products of float32
   * matrices on a GPU with factors of 10 bits. It reads the variable once, and DJL has no other
   * switch.
   */
  public static final String TF32 = "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE";

  private static final String LIBRARY_PATH = "PYTORCH_LIBRARY_PATH";
  private static final String VERSION = "PYTORCH_VERSION";
  private static final String OWN_STREAM = "ai.djl.pytorch.enable_cuda_stream";

  /** DJL reads this property when it loads the engine. OpenMP and MKL then have as many threads. */
  private static final String NUM_THREADS = "ai.djl.pytorch.num_threads";

  private static final Pattern GPU = Pattern.compile("gpu(?::(\\d+)|\\((\\d+)\\))?");

  private static final Pattern CPUS = Pattern.compile("cpu(?::([1-9]\\d{0,2}))?");
  private static final Pattern GPUS = Pattern.compile("gpu:(all|\\d+(?:,\\d+)*)");

  private Devices() {}

  /**
   * {@return the devices of a run's replicas, one for each}
   *
   * @param names {@code cpu}, {@code cpu:2} (replicas that share the CPU), {@code gpu:0}, {@code
   *     gpu:0,1} or {@code gpu:all}
   * @throws ConfigException if the names are not of this form, the machine has no such device, or
   *     the engine's libraries cannot be loaded
   */
  public static List<Device> listOf(String names) {
    if (CPUS.matcher(names).matches()) {
      engine();
      return Collections.nCopies(cpuOrOne(names), Device.cpu());
    }
    Matcher gpus = GPUS.matcher(names);
    if (!gpus.matches()) {
      return List.of(of(names));
    }
    return gpuIndexes(gpus.group(1), numGpus()).stream().map(index -> of("gpu:" + index)).toList();
  }

  /**
   * {@return the number of replicas of a run; for {@code gpu:all} the number of GPUs found, at
   * least 1} The devices need not exist.
   */
  public static int numReplicas(String names) {
    Matcher gpus = GPUS.matcher(names);
    return gpus.matches() ? gpuIndexes(gpus.group(1), numGpus()).size() : cpuOrOne(names);
  }

  private static int cpuOrOne(String names) {
    Matcher cpus = CPUS.matcher(names);
    return cpus.matches() && cpus.group(1) != null ? Integer.parseInt(cpus.group(1)) : 1;
  }

  /** {@return the number of CUDA devices; 0 if the engine was built without CUDA} */
  public static int numGpus() {
    return engine().getGpuCount();
  }

  /** The indexes of {@code all} or of a list of numbers. */
  static List<Integer> gpuIndexes(String names, int available) {
    if (names.equals("all")) {
      return IntStream.range(0, Math.max(1, available)).boxed().toList();
    }
    List<Integer> indexes = Stream.of(names.split(",")).map(Integer::valueOf).toList();
    if (Set.copyOf(indexes).size() < indexes.size()) {
      throw new ConfigException(
          "device", "each GPU once", "gpu:" + names, "remove the repeated number");
    }
    return indexes;
  }

  /**
   * {@return the device with a name}
   *
   * @param name {@code cpu}, {@code gpu}, {@code gpu:1} or {@code gpu(1)}
   */
  public static Device of(String name) {
    if (name.equals("cpu")) {
      engine();
      return Device.cpu();
    }
    Matcher matcher = GPU.matcher(name);
    if (!matcher.matches()) {
      throw new ConfigException(
          "device",
          "cpu or gpu:0, gpu:1, ...; to train also cpu:2, gpu:0,1 or gpu:all",
          "'" + name + "'",
          "use one of these names");
    }
    String digits = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
    int index = digits == null ? 0 : Integer.parseInt(digits);
    requireGpu(index, numGpus(), libtorch());
    return Device.gpu(index);
  }

  /**
   * {@return whether products of float32 matrices run in TF32: the device is a GPU and the variable
   * is 1}
   */
  public static boolean usesTf32(String name, @Nullable String variable) {
    return GPU.matcher(name).matches() && "1".equals(variable);
  }

  /** {@return the version and kind of the libtorch that models run on} */
  public static Libtorch libtorch() {
    return Libtorch.loaded(engine().getVersion());
  }

  /** {@return the threads of an operator on the CPU} */
  public static int numThreads() {
    engine();
    return JniUtils.getNumThreads();
  }

  /** Checks that libtorch can use a GPU. Libtorch is first: without it, no driver helps. */
  static void requireGpu(int index, int available, Libtorch libtorch) {
    if (!libtorch.hasCuda()) {
      throw new ConfigException(
          "device",
          Libtorch.CUDA_LIBRARY + " for gpu:" + index,
          libtorch + ", without this library",
          "get a libtorch for CUDA with scripts/natives.sh cu128 or name its folder in "
              + LIBRARY_PATH
              + ", or use cpu");
    }
    if (index >= available) {
      throw new ConfigException(
          "device",
          "a CUDA device with index " + index,
          Count.of(available, "CUDA device") + ", by " + libtorch,
          "check the driver with nvidia-smi and the variable CUDA_VISIBLE_DEVICES, or use cpu");
    }
  }

  private static Engine engine() {
    requireOneStream();
    Allocation.current()
        .threadsToSet()
        .filter(threads -> System.getProperty(NUM_THREADS) == null)
        .ifPresent(threads -> System.setProperty(NUM_THREADS, String.valueOf(threads)));
    String folder = System.getenv(LIBRARY_PATH);
    String release = jniRelease(System.getenv(VERSION));
    if (folder != null) {
      requireRelease(folder, release);
    }
    try {
      Engine engine = Engine.getEngine("PyTorch");
      if (folder != null) {
        requireRightTensors(engine, folder, release);
      }
      return engine;
    } catch (EngineException | IllegalStateException | LinkageError e) {
      throw missing(folder, release, e);
    }
  }

  /**
   * Rejects DJL's switch for a stream of its own: kernels would run beside the copies that they
   * read and the optimizer that follows them, and no code waits for that stream.
   */
  private static void requireOneStream() {
    if (Boolean.getBoolean(OWN_STREAM)) {
      throw new ConfigException(
          OWN_STREAM,
          "false, because results would depend on chance",
          "true",
          "remove this option from LENGTHWISE_OPTS");
    }
  }

  /**
   * The release of libtorch that DJL's library was built for: the value of PYTORCH_VERSION, else
   * that of the library in DJL's jar.
   */
  static String jniRelease(@Nullable String variable) {
    if (variable != null && !variable.isEmpty()) {
      return variable;
    }
    Properties properties = new Properties();
    try (InputStream in = Engine.class.getResourceAsStream("/jnilib/pytorch.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String version = properties.getProperty("jni_version", "unknown"); // 2.7.1-0.35.1
    return version.substring(0, Math.max(version.indexOf('-'), 0));
  }

  /**
   * Rejects a libtorch of another release than DJL's library was built for. Both would load, but
   * tensors have another layout, and their content would be wrong.
   */
  static void requireRelease(String folder, String release) {
    Libtorch.releaseIn(Path.of(folder))
        .filter(found -> !found.equals(release))
        .ifPresent(
            found -> {
              throw otherRelease(folder, release, "libtorch " + found);
            });
  }

  /** Reads a transposed tensor, for a libtorch whose release no file names. */
  private static void requireRightTensors(Engine engine, String folder, String release) {
    String found;
    try (NDManager manager = engine.newBaseManager(Device.cpu())) {
      NDArray rows = manager.create(new float[] {1, 2, 3, 4, 5, 6}, new Shape(2, 3));
      float[] read = rows.transpose().add(rows.transpose()).toFloatArray();
      if (Arrays.equals(read, new float[] {2, 8, 4, 10, 6, 12})) {
        return;
      }
      found = Arrays.toString(read);
    } catch (EngineException e) {
      found = String.valueOf(e.getMessage());
    }
    throw otherRelease(folder, release, "one that reads a transposed tensor wrongly: " + found);
  }

  private static ConfigException otherRelease(String folder, String release, String found) {
    return new ConfigException(
        LIBRARY_PATH + "=" + folder,
        "libtorch " + release + ", for which DJL's library was built",
        found,
        "name a folder with this release; or build DJL's library for the other one with"
            + " scripts/build-jni.sh; or put such a library into the folder, as "
            + Engine.getDjlVersion()
            + "-libdjl_torch.so, and name the release in "
            + VERSION);
  }

  /**
   * The error for an engine that cannot be loaded.
   *
   * @param folder the value of PYTORCH_LIBRARY_PATH, or null if it is not set
   * @param release the release of libtorch that DJL's library was built for
   */
  static ConfigException missing(@Nullable String folder, String release, Throwable failure) {
    return new ConfigException(
        folder == null ? "the class path and DJL's cache, ~/.djl.ai" : LIBRARY_PATH + "=" + folder,
        "the native libraries of libtorch " + release + ", such as libtorch_cpu.so",
        found(folder, failure),
        folder == null
            ? "unpack the archive of natives into the bundle's folder, or set the folder of libtorch in "
                + LIBRARY_PATH
            : "set it to the folder of libtorch's libraries, or unset the variable",
        failure);
  }

  /** The innermost cause names the missing library. */
  private static String found(@Nullable String folder, Throwable failure) {
    if (folder != null && !Files.isDirectory(Path.of(folder))) {
      return "no such folder";
    }
    Throwable first = failure;
    while (first.getCause() != null) {
      first = first.getCause();
    }
    return "none that can be loaded (" + first + ")";
  }
}
