package org.lengthwise.training.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The libtorch that this process has loaded.
 *
 * <p>DJL falls back to libtorch for CPUs without an error, for example for an unknown
 * PYTORCH_FLAVOR. It counts GPUs with the CUDA runtime, so the count says nothing about libtorch.
 *
 * @param version such as 2.7.1
 * @param hasCuda whether it was built for CUDA
 */
public record Libtorch(String version, boolean hasCuda) {
  /** The library with the CUDA kernels. */
  static final String CUDA_LIBRARY = "libtorch_cuda.so";

  /** The files that this process has mapped to memory, one per line, on Linux. */
  private static final Path MAPS = Path.of("/proc/self/maps");

  static Libtorch loaded(String version) {
    return new Libtorch(version, isMapped(CUDA_LIBRARY, MAPS));
  }

  static boolean isMapped(String library, Path maps) {
    try (Stream<String> lines = Files.lines(maps)) {
      return lines.anyMatch(line -> line.endsWith("/" + library));
    } catch (IOException e) {
      return false; // GPUs are used on Linux only
    }
  }

  @Override
  public String toString() {
    return "libtorch " + version + (hasCuda ? " for CUDA" : " for CPUs");
  }
}
