package org.lengthwise.bench;

import ai.djl.Device;
import ai.djl.pytorch.jni.JniUtils;
import ai.djl.util.cuda.CudaUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lengthwise.bench.TraceFile.Profile;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.config.OptimizerConfig;
import org.lengthwise.training.config.TrainingConfig;

/**
 * A training step of each scheme at one shape: a batch in micro-batches, forward, backward, clip,
 * update. The schemes run one after the other, because a device may not hold all models at once.
 * They are not compared with each other.
 *
 * @param sizes the shape and the schemes
 * @param precision the format of the products
 * @param memory reads the memory of this process
 * @param traces the folder for profiles, or null to discard them
 */
record SchemesBench(Sizes sizes, Precision precision, ProcessMemory memory, @Nullable Path traces) {
  private static final double MILLISECONDS_PER_SECOND = 1000;

  /**
   * The shape and the schemes of the part schemes.
   *
   * @param steps the number of timed steps, after one warm-up step
   * @param lengths the lengths T, one after the other
   * @param batch the number of sequences of a step
   * @param microBatch the number of sequences of a forward pass, a divisor of batch
   * @param model layers, width and heads of every model
   * @param vocabulary V, the number of token ids
   * @param schemes the schemes by their names in the table
   * @param optimizer the optimizer; its largest learning rate is used in every step
   * @param peakFlops the device's peak, 0 if unknown
   * @param profile whether one more step of each scheme is profiled
   */
  public record Sizes(
      @Unit("steps") int steps,
      @Unit("tokens") List<Integer> lengths,
      @Unit("sequences") int batch,
      @Unit("sequences") int microBatch,
      TrainingConfig.ModelSize model,
      int vocabulary,
      Map<String, PositionalScheme> schemes,
      OptimizerConfig optimizer,
      @Unit("operations per second") double peakFlops,
      boolean profile) {
    /** Requires sizes that are valid for every scheme at every length. */
    public Sizes {
      lengths = List.copyOf(lengths);
      schemes = Collections.unmodifiableMap(new LinkedHashMap<>(schemes));
      Checks.within("peak_flops", peakFlops, 0, Double.MAX_VALUE);
      for (int length : lengths) { // before the first measurement
        for (PositionalScheme scheme : schemes.values()) {
          new TrainingSizes(
              steps, length, batch, microBatch, config(model, vocabulary, scheme), optimizer);
        }
      }
    }

    /** The steps of one scheme at one length. */
    TrainingSizes of(PositionalScheme scheme, int length) {
      return new TrainingSizes(
          steps, length, batch, microBatch, config(model, vocabulary, scheme), optimizer);
    }

    private static ModelConfig config(
        TrainingConfig.ModelSize model, int vocabulary, PositionalScheme scheme) {
      return new ModelConfig(model.layers(), model.width(), model.heads(), vocabulary, scheme);
    }
  }

  /**
   * One scheme at one length.
   *
   * @param length T
   * @param batch the number of sequences of a step
   * @param microBatch the number of sequences of a forward pass
   * @param milliseconds the duration of a step
   * @param tokensPerSecond the throughput at the median duration
   * @param mfu model FLOPs utilisation, with the estimate of FLOPs from the training metrics; null
   *     if the device's peak is unknown
   * @param peakMegabytes on a CPU the highest resident memory of the process during the first step;
   *     on a GPU the used memory of the device after the last step, including other processes; null
   *     if unknown. On a GPU the engine keeps allocated memory, so its use after the last step is
   *     its peak
   * @param profile the profile of one more step, null if not profiled
   */
  public record Row(
      String scheme,
      int length,
      int batch,
      int microBatch,
      RoundRobinTimer.Timing milliseconds,
      double tokensPerSecond,
      @Nullable Double mfu,
      @Nullable Long peakMegabytes,
      @Nullable Profile profile) {}

  /** One row for every scheme at every length that it can read. */
  List<Row> run(Device device) throws IOException {
    List<Row> rows = new ArrayList<>();
    for (int length : sizes.lengths()) {
      for (Map.Entry<String, PositionalScheme> scheme : sizes.schemes().entrySet()) {
        if (length <= scheme.getValue().lengths().longest()) {
          rows.add(row(scheme.getKey(), sizes.of(scheme.getValue(), length), device));
        }
      }
    }
    return rows;
  }

  private Row row(String name, TrainingSizes step, Device device) throws IOException {
    if (device.isGpu()) {
      JniUtils.emptyCudaCache(); // the memory of earlier schemes
    }
    try (TrainingStep training = TrainingStep.ofDecoder(step, precision, device)) {
      RoundRobinTimer.Timed timed =
          new RoundRobinTimer(memory, step.steps())
              .run(List.of(RoundRobinTimer.Variant.of(name, training::next)))
              .get(0);
      Long peak = device.isGpu() ? usedMemory(device) : timed.peakBytes();
      double perSecond = step.tokensPerStep() * MILLISECONDS_PER_SECOND / timed.timing().median();
      double most = sizes.peakFlops();
      return new Row(
          name,
          step.length(),
          step.batch(),
          step.microBatch(),
          timed.timing(),
          perSecond,
          most == 0 ? null : perSecond * step.model().flopsPerToken(step.length()) / most,
          peak == null ? null : peak >> 20,
          sizes.profile() ? profile(name + "-" + step.length(), training, device) : null);
    }
  }

  private Profile profile(String name, TrainingStep training, Device device) throws IOException {
    // On a GPU a call returns before its kernels have finished, unless CUDA waits for each kernel.
    boolean isTimed = !device.isGpu() || "1".equals(System.getenv("CUDA_LAUNCH_BLOCKING"));
    Path file =
        traces == null
            ? Files.createTempFile("lengthwise-trace-", ".json")
            : traces.resolve(name + ".json");
    try {
      return new TraceFile(file).record(training::next).profile(isTimed);
    } finally {
      if (traces == null) {
        Files.delete(file);
      }
    }
  }

  /** The used memory of a GPU in bytes, null if the CUDA runtime is not found. */
  private static @Nullable Long usedMemory(Device device) {
    return CudaUtils.hasCuda() ? CudaUtils.getGpuMemory(device).getUsed() : null;
  }
}
