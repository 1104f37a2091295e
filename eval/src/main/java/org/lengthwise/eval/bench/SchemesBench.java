package org.lengthwise.eval.bench;

import ai.djl.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.config.OptimizerConfig;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.model.Decoder;
import org.lengthwise.training.model.ModelConfig;
import org.lengthwise.training.model.Weights;

/**
 * A training step of each scheme at one shape: a batch in micro-batches, forward, backward, clip,
 * update. The schemes run one after the other, for a device may not hold them all, and are not
 * compared with one another.
 *
 * @param sizes the shape and the schemes
 * @param precision the format of the products
 * @param memory where the process's memory is read
 * @param traces the folder that profiles are kept in, or null if they are not
 */
record SchemesBench(Sizes sizes, Precision precision, ProcessMemory memory, @Nullable Path traces) {
  private static final double MILLISECONDS_PER_SECOND = 1000;

  /**
   * The shape and the schemes.
   *
   * @param steps how many are timed, after one that is not
   * @param lengths T, one after the other
   * @param batch the sequences of a step
   * @param microBatch the sequences that go through the model at a time; a divisor of batch
   * @param model layers, width and heads of all
   * @param vocabulary V
   * @param schemes what is trained, by names of any kind
   * @param optimizer its optimiser; the largest rate is used throughout
   * @param peakFlops the device's peak in operations per second; 0 if it is not known
   * @param profile whether one more step of each is profiled
   */
  public record Sizes(
      int steps,
      List<Integer> lengths,
      int batch,
      int microBatch,
      TrainingConfig.ModelSize model,
      int vocabulary,
      Map<String, PositionalScheme> schemes,
      OptimizerConfig optimizer,
      double peakFlops,
      boolean profile) {
    /** Checks the values. */
    public Sizes {
      lengths = List.copyOf(lengths);
      schemes = Collections.unmodifiableMap(new LinkedHashMap<>(schemes));
      if (!(peakFlops >= 0)) {
        throw new IllegalArgumentException(
            "peak_flops: expected a number, 0 if it is not known, found " + peakFlops);
      }
      for (int length : lengths) { // so that the last scheme's mistake is not found after an hour
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
   * @param scheme its name
   * @param length T
   * @param batch the sequences of a step
   * @param microBatch the sequences that went through the model at a time
   * @param milliseconds the times of a step
   * @param tokensPerSecond by the median
   * @param mfu model FLOPs utilisation, by the estimate that training's metrics use; null where the
   *     device's peak is not given
   * @param peakMegabytes on a CPU the process's resident memory at its highest during the first
   *     step; on a GPU what was taken of its memory after the last, by whomever, which is the most
   *     that the engine held at once, for it returns nothing; null where the system does not tell
   * @param profile what a further step's profile says; null if there is none
   */
  public record Row(
      String scheme,
      int length,
      int batch,
      int microBatch,
      Timing milliseconds,
      double tokensPerSecond,
      @Nullable Double mfu,
      @Nullable Long peakMegabytes,
      @Nullable StepProfile profile) {}

  /** Every scheme at every length. */
  List<Row> run(Device device) throws IOException {
    List<Row> rows = new ArrayList<>();
    for (int length : sizes.lengths()) {
      for (Map.Entry<String, PositionalScheme> scheme : sizes.schemes().entrySet()) {
        rows.add(row(scheme.getKey(), sizes.of(scheme.getValue(), length), device));
      }
    }
    return rows;
  }

  private Row row(String name, TrainingSizes step, Device device) throws IOException {
    DeviceMemory used = new DeviceMemory(device);
    used.returnUnused();
    try (Weights weights = TrainingStep.weights(step, device);
        Decoder decoder = new Decoder(step.model(), weights, precision);
        TrainingStep training = new TrainingStep(step, weights, decoder::loss)) {
      Interleaved.Timed timed =
          new Interleaved(memory, step.steps())
              .run(List.of(Interleaved.Form.of(name, training::next)))
              .get(0);
      Long peak = device.isGpu() ? boxed(used.used()) : timed.peakBytes();
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

  private StepProfile profile(String name, TrainingStep training, Device device)
      throws IOException {
    StepTrace trace = new StepTrace(StepTrace.isTimed(device));
    return traces == null
        ? trace.ofDiscarded(training::next)
        : trace.of(training::next, traces.resolve(name + ".json"));
  }

  private static @Nullable Long boxed(OptionalLong bytes) {
    return bytes.isPresent() ? bytes.getAsLong() : null;
  }
}
