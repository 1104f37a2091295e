package org.lengthwise.training.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.config.LoopConfig;

/** The peak of devices: the configured one, or the dense bfloat16 peak of a known data sheet. */
public final class PeakThroughput {
  /** By the driver's full name of the device, since variants of a chip have other clock rates. */
  private static final Map<String, Double> FLOPS =
      Map.of(
          "NVIDIA H100 80GB HBM3", 989e12,
          "NVIDIA H200", 989e12,
          "NVIDIA A100-SXM4-40GB", 312e12,
          "NVIDIA A100-SXM4-80GB", 312e12,
          "NVIDIA A100-PCIE-40GB", 312e12,
          "NVIDIA A100 80GB PCIe", 312e12);

  private static final String MODEL = "Model:";
  private static final Path DRIVER = Path.of("/proc/driver/nvidia/gpus");

  private PeakThroughput() {}

  /**
   * {@return the peak of one replica's device in operations per second, the base of model FLOPs
   * utilisation} It is empty if none is configured, and device or precision are not in the table,
   * or the driver does not show its devices, as in some containers.
   */
  public static OptionalDouble flopsPerSecond(LoopConfig loop) {
    return flopsPerSecond(loop, DRIVER);
  }

  static OptionalDouble flopsPerSecond(LoopConfig loop, Path driver) {
    if (loop.peakFlops() > 0) {
      return OptionalDouble.of(loop.peakFlops());
    }
    return loop.device().startsWith("gpu") && loop.precision() == Precision.BFLOAT16
        ? ofModels(models(driver))
        : OptionalDouble.empty();
  }

  /** The peak of a machine's GPUs if all are of one known model. Mixed models have no answer. */
  static OptionalDouble ofModels(List<String> models) {
    Set<String> distinct = Set.copyOf(models);
    return distinct.size() == 1 && FLOPS.keySet().containsAll(distinct)
        ? distinct.stream().mapToDouble(FLOPS::get).findFirst()
        : OptionalDouble.empty();
  }

  static List<String> models(Path driver) {
    if (!Files.isDirectory(driver)) {
      return List.of();
    }
    try (Stream<Path> gpus = Files.list(driver)) {
      return gpus.map(gpu -> gpu.resolve("information"))
          .filter(Files::isReadable)
          .flatMap(PeakThroughput::lines)
          .filter(line -> line.startsWith(MODEL))
          .map(line -> line.substring(MODEL.length()).strip())
          .toList();
    } catch (IOException e) {
      return List.of(); // without the driver's file there is no MFU; it is never guessed
    }
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      return Stream.empty();
    }
  }
}
