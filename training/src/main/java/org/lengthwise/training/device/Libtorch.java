package org.lengthwise.training.device;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  /** The line of {@code version.py} or of {@code build-version}. A suffix such as +cu128 goes. */
  private static final Pattern RELEASE =
      Pattern.compile("(?m)^(?:__version__ *= *['\"])?(\\d+\\.\\d+\\.\\d+)");

  /** The files that this process has mapped to memory, one per line, on Linux. */
  private static final Path MAPS = Path.of("/proc/self/maps");

  static Libtorch loaded(String version) {
    return new Libtorch(version, isMapped(CUDA_LIBRARY, MAPS));
  }

  /**
   * The release of an installed libtorch, such as 2.7.1: from {@code version.py} of Python's
   * package or {@code build-version} of libtorch's archive, which lie in the folder above the
   * libraries. Empty if neither is there.
   */
  static Optional<String> releaseIn(Path folder) {
    for (String name : List.of("version.py", "build-version")) {
      Path file = folder.resolve("..").resolve(name);
      if (Files.isReadable(file)) {
        Matcher release = RELEASE.matcher(read(file));
        if (release.find()) {
          return Optional.of(release.group(1));
        }
      }
    }
    return Optional.empty();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
