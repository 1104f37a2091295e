package org.lengthwise.bench;

import ai.djl.engine.Engine;
import ai.djl.pytorch.jni.JniUtils;
import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The hardware and the runtime of a measurement.
 *
 * @param memory the meaning of peaks: the {@code peak} of resident memory, or {@code resident}
 *     memory after the pass if the system cannot reset the peak
 */
public record Host(
    String processor,
    int processors,
    int threads,
    long memoryMegabytes,
    String device,
    String java,
    String engine,
    String memory) {
  private static final Pattern MODEL = Pattern.compile("(?m)^model name\\s*:\\s*(.+)$");

  static Host current(String device) {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    String engine = "PyTorch " + Engine.getEngine("PyTorch").getVersion();
    return new Host(
        processorModel(),
        Runtime.getRuntime().availableProcessors(),
        JniUtils.getNumThreads(),
        system.getTotalMemorySize() >> 20,
        device,
        Runtime.version().toString(),
        engine,
        ProcessMemory.own().resetPeak() ? "peak" : "resident");
  }

  private static String processorModel() {
    try {
      Matcher model = MODEL.matcher(Files.readString(Path.of("/proc/cpuinfo")));
      if (model.find()) {
        return model.group(1);
      }
    } catch (IOException e) {
      // Not Linux: only the architecture is known.
    }
    return System.getProperty("os.arch", "unknown");
  }
}
