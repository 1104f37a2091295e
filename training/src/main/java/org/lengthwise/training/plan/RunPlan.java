package org.lengthwise.training.plan;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.lengthwise.positional.NoPosition;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.model.ModelConfig;

/**
 * What a run will take.
 *
 * @param config the run
 * @param model its model's shape
 * @param numWindows the windows of an epoch
 * @param machine where it will run
 */
public record RunPlan(TrainingConfig config, ModelConfig model, long numWindows, Machine machine) {
  /** What a well fed device reaches of its peak in such models; the other end of the range. */
  private static final double USUAL_UTILISATION = 0.4;

  private static final double SECONDS_PER_HOUR = 3600;

  /**
   * Where a run takes place.
   *
   * @param isGpu whether each replica has a GPU; otherwise all of them share the CPU
   * @param numReplicas how many copies of the model share a batch
   * @param numGpus the CUDA devices that the engine finds
   * @param peakFlops the peak of one device in operations per second; empty if not known
   */
  public record Machine(boolean isGpu, int numReplicas, int numGpus, OptionalDouble peakFlops) {
    int replicasPerDevice() {
      return isGpu ? 1 : numReplicas;
    }
  }

  /**
   * Floating-point operations of a step, forward and backward, by the usual estimate.
   *
   * @return operations of all replicas together
   */
  public double flopsPerStep() {
    return model.flopsPerToken(loop().length()) * loop().batch() * loop().length();
  }

  /**
   * The tokens that the run reads.
   *
   * @return steps x batch x T
   */
  public long numTokens() {
    return loop().steps() * loop().batch() * loop().length();
  }

  /**
   * How often the run reads the training split.
   *
   * @return epochs, less than 1 if it reads a part of it
   */
  public double numEpochs() {
    return (double) loop().steps() * loop().batch() / numWindows;
  }

  /**
   * An estimate of the most that each device holds at the same time, for all of its replicas.
   *
   * @return bytes of tensors, without the engine's own memory and the Java heap
   */
  public long deviceBytes() {
    return machine.replicasPerDevice() * memory().peakBytes(machine.numReplicas());
  }

  private MemoryEstimate memory() {
    return new MemoryEstimate(
        model,
        loop().length(),
        loop().microBatch(machine.numReplicas()),
        loop().precision(),
        machine.isGpu());
  }

  /**
   * The time of all steps on devices that do nothing but multiply.
   *
   * @return seconds, or empty if the devices' peak is not known
   */
  public OptionalDouble secondsAtPeak() {
    if (machine.peakFlops().isEmpty()) {
      return OptionalDouble.empty();
    }
    double flops = machine.peakFlops().getAsDouble() * machine.numReplicas();
    return OptionalDouble.of(flopsPerStep() * loop().steps() / flops);
  }

  /**
   * The plan for people.
   *
   * @return its lines
   */
  public List<String> lines() {
    return List.of(
        config.name() + ", seed " + config.seed(),
        line(
            "parameters",
            "%.2f M, and %,d of the positional scheme",
            (model.numParameters() - numPositional()) / 1e6,
            numPositional()),
        line(
            "layers",
            "%d executed at %d tokens, %d distinct",
            model.executedLayers(loop().length()),
            loop().length(),
            model.layers()),
        line("operations", "%.3g a step", flopsPerStep()),
        line(
            "tokens",
            "%,d in %,d steps of %d x %d, %.3g epochs",
            numTokens(),
            loop().steps(),
            loop().batch(),
            loop().length(),
            numEpochs()),
        line(
            "devices",
            "%s, %d replicas; %d CUDA devices found",
            loop().device(),
            machine.numReplicas(),
            machine.numGpus()),
        line("memory", "%s", memoryLine()),
        line(
            "",
            "and %.1f GB of the host's, once, for the copy that checkpoints are written from",
            Checkpoint.numBytes(model.numParameters()) / 1e9),
        line("time", "%s", time()));
  }

  private long numPositional() {
    ModelConfig without =
        new ModelConfig(
            model.layers(), model.width(), model.heads(), model.vocabulary(), new NoPosition());
    return model.numParameters() - without.numParameters();
  }

  private String memoryLine() {
    MemoryEstimate estimate = memory();
    int replicas = machine.replicasPerDevice();
    return String.format(
        Locale.ROOT,
        "about %.1f GB a device besides the engine: %.1f for weights, gradients and moments,"
            + " %.1f for activations, %.1f for the loss%s",
        deviceBytes() / 1e9,
        replicas * estimate.stateBytes() / 1e9,
        replicas * estimate.activationBytes() / 1e9,
        replicas * estimate.headBytes() / 1e9,
        replicas > 1 ? ", of %d replicas".formatted(replicas) : "");
  }

  private String time() {
    OptionalDouble seconds = secondsAtPeak();
    return seconds.isEmpty()
        ? "not known, as the devices' peak is not"
        : String.format(
            Locale.ROOT,
            "%.1f h at %.0f %% of the devices' peak, never below %.1f h",
            seconds.getAsDouble() / USUAL_UTILISATION / SECONDS_PER_HOUR,
            100 * USUAL_UTILISATION,
            seconds.getAsDouble() / SECONDS_PER_HOUR);
  }

  private static String line(String name, String format, Object... values) {
    return String.format(Locale.ROOT, "%-12s ", name) + String.format(Locale.ROOT, format, values);
  }

  private LoopConfig loop() {
    return config.training();
  }
}
