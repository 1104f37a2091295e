package org.lengthwise.eval.bench;

import ai.djl.Device;
import ai.djl.pytorch.jni.JniUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A step under libtorch's profiler. It sees the operators that are called, on a GPU too, but no
 * kernels; its durations are those of the calls, which on a GPU end before the work does.
 *
 * @param isTimed whether calls last as long as the work, see {@link #isTimed}
 */
record StepTrace(boolean isTimed) {
  /** What the engine writes for the shapes of an operator whose shapes were not recorded. */
  private static final String NO_SHAPES = "\"shape\": [,";

  /** Whether calls last as long as their work: on a CPU, or where CUDA was told to wait. */
  static boolean isTimed(Device device) {
    return !device.isGpu() || "1".equals(System.getenv("CUDA_LAUNCH_BLOCKING"));
  }

  /** Profiles a step and keeps nothing. */
  StepProfile ofDiscarded(Runnable step) throws IOException {
    Path file = Files.createTempFile("lengthwise-trace-", ".json");
    try {
      return of(step, file);
    } finally {
      Files.delete(file);
    }
  }

  /** Profiles a step and keeps the trace, which browsers show under chrome://tracing. */
  StepProfile of(Runnable step, Path file) throws IOException {
    Path raw = Files.createTempFile("lengthwise-trace-", ".raw");
    try {
      JniUtils.startProfile(false, false, false);
      try {
        step.run();
      } finally {
        JniUtils.stopProfile(raw.toString());
      }
      writeValid(raw, file);
    } finally {
      Files.delete(raw);
    }
    return new TraceFile(file).profile(isTimed);
  }

  /** The engine leaves a bracket open, which is no JSON. */
  private static void writeValid(Path raw, Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, Files.readString(raw).replace(NO_SHAPES, "\"shape\": [],"));
  }
}
