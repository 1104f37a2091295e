package org.lengthwise.training.plan;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.lengthwise.positional.Fire;
import org.lengthwise.positional.KerpleLog;
import org.lengthwise.positional.KerplePower;
import org.lengthwise.positional.NoPosition;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.SlidingWindow;
import org.lengthwise.positional.T5;
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
  /** Weight, gradient and two moments of a learnable number, each in float32. */
  private static final int BYTES_PER_PARAMETER = 4 * Float.BYTES;

  /**
   * The numbers of width d that a block keeps at each position for its backward pass: the stream
   * before attention and before the MLP, both normalised (4), queries, keys and values as projected
   * and by head (6), the attended values (2), and the MLP's hidden width before and after GELU (8).
   */
  private static final int WIDTHS_PER_BLOCK = 20;

  /** The same where keys and values of each block of positions are paired with those before. */
  private static final int WIDTHS_PAIRED = 4;

  /** What a well fed device reaches of its peak in such models; the other end of the range. */
  private static final double USUAL_UTILISATION = 0.4;

  private static final double SECONDS_PER_HOUR = 3600;

  /**
   * Where a run takes place.
   *
   * @param numReplicas how many copies of the model share a batch
   * @param numGpus the CUDA devices that the engine finds
   * @param peakFlops the peak of one device in operations per second; empty if not known
   */
  public record Machine(int numReplicas, int numGpus, OptionalDouble peakFlops) {}

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
   * The bytes of weights, gradients and moments on each device.
   *
   * @return bytes of one replica
   */
  public long stateBytes() {
    return model.numParameters() * BYTES_PER_PARAMETER;
  }

  /**
   * An estimate of the bytes that a micro-batch holds until its backward pass, biases and paired
   * keys included, without attention's scores, which only a CPU keeps, and without the loss, which
   * keeps 0.4 GB at most.
   *
   * @return bytes of one replica
   */
  public long activationBytes() {
    long positions = (long) loop().microBatch(machine.numReplicas()) * loop().length();
    long executed = model.executedLayers(loop().length());
    long widths = positions * executed * model.width();
    long biases = (long) model.heads() * loop().length() * loop().length();
    PositionalScheme scheme = model.position();
    long numbers = widths * WIDTHS_PER_BLOCK;
    if (scheme instanceof RegularGpt || scheme instanceof SlidingWindow) {
      numbers += widths * WIDTHS_PAIRED;
    } else if (scheme instanceof Fire) {
      numbers += biases * executed;
    } else if (scheme instanceof KerpleLog
        || scheme instanceof KerplePower
        || scheme instanceof T5) {
      numbers += biases;
    }
    return numbers * Float.BYTES;
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
        line(
            "memory",
            "about %.1f GB a replica: %.1f for weights, gradients and moments, %.1f for activations",
            (stateBytes() + activationBytes()) / 1e9,
            stateBytes() / 1e9,
            activationBytes() / 1e9),
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
