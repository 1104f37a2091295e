package org.lengthwise.progress;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The processors and the memory that this process may use: by the variables of a Slurm job, else by
 * its cgroup, else all of the machine. scripts/lengthwise starts the JVM with Slurm's numbers.
 *
 * @param engineThreads the value of OMP_NUM_THREADS: the user's choice for the engine
 */
public record Allocation(
    int processors,
    String processorsFrom,
    long memoryBytes,
    String memoryFrom,
    Optional<String> engineThreads) {
  private static final String MACHINE = "the machine";
  private static final String MEMORY = "SLURM_MEM_PER_NODE";
  private static final Pattern PROCESSOR = Pattern.compile("(?m)^processor\\s*:");

  public static Allocation current() {
    return of(
        System.getenv(),
        Runtime.getRuntime().availableProcessors(),
        installedProcessors(),
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize());
  }

  /**
   * {@return the allocation by variables and by what the JVM sees}
   *
   * @param environment the variables of this process; Slurm's memory is in units of 2^20 bytes
   * @param visible the processors that the JVM sees, those of its cgroup
   * @param installed the processors of the machine; 0 if not known
   * @param memoryBytes the memory that the JVM sees
   */
  static Allocation of(
      Map<String, String> environment, int visible, int installed, long memoryBytes) {
    Optional<String> cpus =
        Stream.of("SLURM_CPUS_PER_TASK", "SLURM_CPUS_ON_NODE")
            .filter(environment::containsKey)
            .findFirst();
    long bytes = Long.parseLong(environment.getOrDefault(MEMORY, "0")) << 20;
    boolean limited = bytes > 0 && bytes < memoryBytes;
    return new Allocation(
        cpus.map(name -> Integer.parseInt(environment.get(name))).orElse(visible),
        cpus.orElse(visible < installed ? "its cgroup" : MACHINE),
        limited ? bytes : memoryBytes,
        limited ? MEMORY : MACHINE + " or its cgroup",
        Optional.ofNullable(environment.get("OMP_NUM_THREADS")));
  }

  private static int installedProcessors() {
    try {
      return (int) PROCESSOR.matcher(Files.readString(Path.of("/proc/cpuinfo"))).results().count();
    } catch (IOException e) {
      return 0; // not Linux
    }
  }

  /** {@return the threads to give the engine; empty if it has the right number by itself} */
  public Optional<Integer> threadsToSet() {
    return engineThreads.isPresent() || processorsFrom.equals(MACHINE)
        ? Optional.empty()
        : Optional.of(processors);
  }

  /** {@return the most memory for one use, such as the Java heap, in units of 2^20 bytes} */
  public int quarterMegabytes() {
    return (int) Math.max(1, Math.min(Integer.MAX_VALUE, memoryBytes >> 22));
  }

  @Override
  public String toString() {
    String threads = engineThreads.map(", OMP_NUM_THREADS=%s for the engine"::formatted).orElse("");
    return String.format(
        Locale.ROOT,
        "processors: %d by %s%s; memory: %,d MiB by %s",
        processors,
        processorsFrom,
        threads,
        memoryBytes >> 20,
        memoryFrom);
  }
}
