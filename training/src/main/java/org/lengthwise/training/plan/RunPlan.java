package org.lengthwise.training.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.lengthwise.error.Count;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.ParameterLayout;
import org.lengthwise.model.ParameterSpec;
import org.lengthwise.training.checkpoint.CheckpointFolder;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.device.Libtorch;
import org.lengthwise.training.optimizer.TableReach;

/**
 * The cost of a training run: operations, tokens, memory and time.
 *
 * @param samplesPerEpoch the training samples before they repeat; empty if they never do
 */
public record RunPlan(
    TrainingConfig config, ModelConfig model, OptionalLong samplesPerEpoch, Machine machine) {
  /** The share of its peak that a device usually reaches in such models. */
  private static final double USUAL_UTILISATION = 0.4;

  private static final double SECONDS_PER_HOUR = 3600;

  /**
   * The machine of a run.
   *
   * @param isGpu whether each replica has a GPU; otherwise all of them share the CPU
   * @param numGpus the CUDA devices that the engine finds
   * @param peakFlops the peak of one device in operations per second; empty if not known
   */
  public record Machine(
      boolean isGpu,
      int numReplicas,
      int numGpus,
      Optional<Libtorch> libtorch,
      OptionalDouble peakFlops) {
    int replicasPerDevice() {
      return isGpu ? 1 : numReplicas;
    }
  }

  /**
   * {@return the floating-point operations of a step of all replicas together, forward and
   * backward}
   */
  public double flopsPerStep() {
    return config.flopsPerToken(model) * config.tokensPerStep();
  }

  /**
   * {@return the number of times that the run reads the training samples, less than 1 if it reads a
   * part of them; empty if samples never repeat}
   */
  public OptionalDouble numEpochs() {
    return samplesPerEpoch.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of((double) loop().steps() * loop().batch() / samplesPerEpoch.getAsLong());
  }

  /**
   * {@return an estimate of the most that each device holds at the same time for all of its
   * replicas, in bytes of tensors, without the engine's own memory and the Java heap}
   */
  public long deviceBytes() {
    return machine.replicasPerDevice() * (memory().peakBytes(machine.numReplicas()) + carried());
  }

  /** Bytes of the states of a replica's streams, and of those that a micro-batch begins with. */
  private long carried() {
    int replicas = machine.numReplicas();
    return loop().states() == LoopConfig.States.CARRIED
        ? model.stateBytes() * (loop().batch() / replicas + loop().microBatch(replicas))
        : 0;
  }

  private MemoryEstimate memory() {
    return new MemoryEstimate(
        model,
        config.lengths().max().orElseThrow(),
        loop().microBatch(machine.numReplicas()) * mostPadding(),
        loop().numerics(),
        numTrained(),
        machine.isGpu());
  }

  /** Documents that are read apart have at most as much padding as tokens. */
  private int mostPadding() {
    return loop().documents() == LoopConfig.Documents.WITHIN ? 2 : 1;
  }

  /** The learnable numbers that are not frozen. */
  private long numTrained() {
    return config.optimizer().train().isEmpty()
        ? model.numParameters()
        : ParameterLayout.of(model).stream()
            .filter(config.optimizer()::trains)
            .mapToLong(ParameterSpec::size)
            .sum();
  }

  /**
   * {@return the time in seconds of all steps on devices that do nothing but multiply, or empty if
   * the devices' peak is not known}
   */
  public OptionalDouble secondsAtPeak() {
    if (machine.peakFlops().isEmpty()) {
      return OptionalDouble.empty();
    }
    double flops = machine.peakFlops().getAsDouble() * machine.numReplicas();
    return OptionalDouble.of(flopsPerStep() * loop().steps() / flops);
  }

  public List<String> lines() {
    List<String> lines = new ArrayList<>(costs());
    config.position().described().forEach(detail -> lines.add(line("position", "%s", detail)));
    TableReach.of(model, config.optimizer(), loop().steps())
        .flatMap(TableReach::warning)
        .ifPresent(warning -> lines.add(line("warning", "%s", warning)));
    config.warning().ifPresent(warning -> lines.add(line("warning", "%s", warning)));
    return lines;
  }

  private List<String> costs() {
    return List.of(
        config.name() + ", seed " + config.seed(),
        line(
            "parameters",
            "%.2f M, and %,d for the positional scheme",
            (model.numParameters() - model.numPositionalParameters()) / 1e6,
            model.numPositionalParameters()),
        line("layers", "%s", layers()),
        line("operations", "%.3g per step", flopsPerStep()),
        line(
            "tokens",
            "%,d in %s of %d x %s%s",
            config.numTokens(),
            Count.of(loop().steps(), "step"),
            loop().batch(),
            config.lengthText(),
            epochs()),
        line(
            "devices",
            "%s, %s; %s found%s",
            loop().device(),
            Count.of(machine.numReplicas(), "replica"),
            Count.of(machine.numGpus(), "CUDA device"),
            machine.libtorch().map(loaded -> ", " + loaded).orElse("")),
        line("memory", "%s", memoryLine()),
        line(
            "",
            "and %.1f GB on the host for the copy from which checkpoints are written",
            hostBytes() / 1e9),
        line("time", "%s", time()));
  }

  private long hostBytes() {
    boolean areCarried = loop().states() == LoopConfig.States.CARRIED;
    return CheckpointFolder.numBytes(model.numParameters())
        + (areCarried ? model.stateBytes() * loop().batch() : 0);
  }

  private String layers() {
    return switch (model.kind()) {
      case DECODER ->
          "%s; %s at %s"
              .formatted(
                  Count.of(model.layers(), "block"),
                  Count.of(
                      model.executedLayers(config.lengths().max().orElseThrow()), "executed layer"),
                  Count.of(config.lengths().max().orElseThrow(), "token"));
      case RNN -> "a recurrent network of " + Count.of(model.width(), "unit");
      case LSTM -> "an LSTM of " + Count.of(model.width(), "unit");
    };
  }

  private String epochs() {
    OptionalDouble epochs = numEpochs();
    return epochs.isEmpty()
        ? ""
        : String.format(Locale.ROOT, ", %.3g epochs", epochs.getAsDouble());
  }

  private String memoryLine() {
    MemoryEstimate estimate = memory();
    int replicas = machine.replicasPerDevice();
    double unit = deviceBytes() < 1e9 ? 1e6 : 1e9;
    return String.format(
        Locale.ROOT,
        "about %.1f %s on each device, without the engine: %.1f for weights, gradients%s and"
            + " moments, %.1f for activations, %.1f for the loss%s",
        deviceBytes() / unit,
        unit == 1e6 ? "MB" : "GB",
        replicas * (estimate.stateBytes() + carried()) / unit,
        carried() > 0 ? ", carried states" : "",
        replicas * estimate.activationBytes() / unit,
        replicas * estimate.headBytes() / unit,
        replicas > 1 ? "; replicas on the device: %s".formatted(replicas) : "");
  }

  private String time() {
    OptionalDouble seconds = secondsAtPeak();
    return seconds.isEmpty()
        ? "unknown, because the peak of the devices is unknown"
        : String.format(
            Locale.ROOT,
            "%.1f h at %.0f %% of the peak of the devices, %.1f h at the peak",
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
