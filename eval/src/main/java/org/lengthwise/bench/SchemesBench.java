package org.lengthwise.bench;

import static org.lengthwise.training.config.LoopConfig.Documents.CROSS;
import static org.lengthwise.training.config.LoopConfig.Documents.WITHIN;

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
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.bench.RoundRobinTimer.Variant;
import org.lengthwise.bench.RoundRobinTimer.Workload;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.positional.LengthUse;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.attention.Numerics;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.config.OptimizerConfig;
import org.lengthwise.training.config.TrainingConfig;

/**
 * A training step of each scheme at one shape: a batch in micro-batches, forward, backward, clip,
 * update. The schemes run one after the other, because a device may not hold all models at once.
 * They are not compared with each other.
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
 * @param residual the format of the residual stream; bfloat16 needs the precision bfloat16
 * @param documents the length of the documents of a text, which are read apart in every second step
 *     ({@code training.documents: within}), without a profile; 0 for a text without documents
 */
public record SchemesBench(
    @Unit("steps") int steps,
    @Unit("tokens") List<Integer> lengths,
    @Unit("sequences") int batch,
    @Unit("sequences") int microBatch,
    TrainingConfig.ModelSize model,
    int vocabulary,
    Map<String, PositionalScheme> schemes,
    OptimizerConfig optimizer,
    @Unit("operations per second") double peakFlops,
    boolean profile,
    @AbsentMeans("\"float32\"") Precision residual,
    @AbsentMeans("0") @Unit("tokens") int documents)
    implements BenchPart.Sizes {
  private static final Logger LOG = LogManager.getLogger(SchemesBench.class);

  public SchemesBench {
    lengths = List.copyOf(lengths);
    schemes = Collections.unmodifiableMap(new LinkedHashMap<>(schemes));
    Checks.within("peak_flops", peakFlops, 0, Double.MAX_VALUE);
    Checks.atLeast("documents", documents, 0);
    for (int length : lengths) { // before the first measurement
      for (PositionalScheme scheme : schemes.values()) {
        ModelConfig config = config(model, vocabulary, scheme);
        new TrainingBench(steps, length, batch, microBatch, config, optimizer);
      }
    }
  }

  private static ModelConfig config(
      TrainingConfig.ModelSize model, int vocabulary, PositionalScheme scheme) {
    return new ModelConfig(model.layers(), model.width(), model.heads(), vocabulary, scheme);
  }

  /** {@return the step of each scheme at a length, by the scheme's name} */
  Map<String, TrainingBench> trainings(int length) {
    Map<String, TrainingBench> trainings = new LinkedHashMap<>();
    schemes.forEach((name, scheme) -> trainings.put(name, training(length, scheme, microBatch)));
    return trainings;
  }

  private TrainingBench training(int length, PositionalScheme scheme, int micro) {
    ModelConfig config = config(model, vocabulary, scheme);
    return new TrainingBench(steps, length, batch, micro, config, optimizer);
  }

  /**
   * One row for every scheme at every length that it can read. With documents two rows, for schemes
   * that can read them apart.
   */
  @Override
  public List<BenchRow> run(BenchSetting setting) throws IOException {
    List<BenchRow> rows = new ArrayList<>();
    for (int length : lengths) {
      for (Map.Entry<String, PositionalScheme> scheme : schemes.entrySet()) {
        LengthUse use = scheme.getValue().lengths();
        if (length <= use.longest() && (documents == 0 || use.keepsResultsBelow(length))) {
          String name = scheme.getKey();
          rows.addAll(
              setting.rows(
                  new Workload(BenchPart.SCHEMES, workload(), length, batch * length),
                  name,
                  () -> rows(name, scheme.getValue(), length, setting)));
        }
      }
    }
    return rows;
  }

  /** Measures with half as many sequences at a time as long as a GPU's memory is too small. */
  private List<BenchRow> rows(
      String name, PositionalScheme scheme, int length, BenchSetting setting) throws IOException {
    for (int micro = microBatch; ; micro /= 2) {
      try {
        TrainingBench step = training(length, scheme, micro);
        return documents == 0 ? List.of(row(name, step, setting)) : apart(name, step, setting);
      } catch (RuntimeException e) {
        if (micro % 2 != 0 || !String.valueOf(e.getMessage()).contains("out of memory")) {
          throw e;
        }
        LOG.warn("{} at {} tokens: memory does not hold {} sequences", name, length, micro);
      }
    }
  }

  private String workload() {
    return "batch "
        + batch
        + (documents == 0 ? "" : ", documents of %s tokens".formatted(documents));
  }

  private static String within(String scheme) {
    return scheme + ", within";
  }

  /** Steps on one text in turn, whose documents see each other or not. */
  private List<BenchRow> apart(String scheme, TrainingBench step, BenchSetting setting)
      throws IOException {
    Numerics numerics = numerics(setting);
    Device device = setting.device();
    try (TrainingStep cross = TrainingStep.onDocuments(step, numerics, documents, CROSS, device);
        TrainingStep within = TrainingStep.onDocuments(step, numerics, documents, WITHIN, device)) {
      return new RoundRobinTimer(setting.timer().memory(), steps)
          .run(
              new Workload(BenchPart.SCHEMES, workload(), step.length(), step.tokensPerStep()),
              List.of(
                  Variant.of(scheme, cross::next).inTimeAgainst(within(scheme)),
                  Variant.of(within(scheme), within::next)));
    }
  }

  private BenchRow row(String scheme, TrainingBench step, BenchSetting setting) throws IOException {
    Device device = setting.device();
    if (device.isGpu()) {
      JniUtils.emptyCudaCache(); // the memory of earlier schemes
    }
    try (TrainingStep training = TrainingStep.ofDecoder(step, numerics(setting), device)) {
      String name = workload() + " in " + batch / step.microBatch();
      BenchRow row =
          new RoundRobinTimer(setting.timer().memory(), steps)
              .run(
                  new Workload(BenchPart.SCHEMES, name, step.length(), step.tokensPerStep()),
                  List.of(Variant.of(scheme, training::next)))
              .get(0);
      double flops = row.tokensPerSecond() * step.model().flopsPerToken(step.length());
      return new BenchRow(
          row.part(),
          row.workload(),
          row.variant(),
          row.length(),
          row.tokens(),
          row.milliseconds(),
          device.isGpu() ? usedMegabytes(device) : row.peakMegabytes(),
          row.comparisons(),
          peakFlops == 0 ? null : flops / peakFlops,
          profile ? profile(scheme + "-" + step.length(), training, setting) : null,
          null);
    }
  }

  private Numerics numerics(BenchSetting setting) {
    return new Numerics(setting.precision(), residual, false);
  }

  private static StepProfile profile(String name, TrainingStep training, BenchSetting setting)
      throws IOException {
    // On a GPU a call returns before its kernels have finished, unless CUDA waits for each kernel.
    boolean isTimed =
        !setting.device().isGpu() || "1".equals(System.getenv("CUDA_LAUNCH_BLOCKING"));
    Path traces = setting.traces();
    Path file =
        traces == null
            ? Files.createTempFile("lengthwise-trace-", ".json")
            : traces.resolve(name + ".json");
    try {
      return StepProfile.record(training::next, file, isTimed);
    } finally {
      if (traces == null) {
        Files.delete(file);
      }
    }
  }

  /** The used memory of a GPU, null if the CUDA runtime is not found. */
  private static @Nullable Long usedMegabytes(Device device) {
    return CudaUtils.hasCuda() ? CudaUtils.getGpuMemory(device).getUsed() >> 20 : null;
  }
}
