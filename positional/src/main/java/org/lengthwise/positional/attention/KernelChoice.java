package org.lengthwise.positional.attention;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.util.Locale;
import java.util.Optional;
import org.lengthwise.error.ConfigException;
import org.lengthwise.positional.PositionalScheme;

/**
 * Whether a training run uses cuDNN's attention.
 *
 * @param reason a sentence for the log; empty if there was nothing to choose
 */
public record KernelChoice(boolean cudnn, Optional<String> reason) {
  private static final String KEY = "training.attention";
  private static final String NEXT = "set training.attention=auto";

  /** The first call prepares the kernel. */
  private static final int CALLS = 6;

  /** The largest relative difference between the gradients' norms of random tensors. */
  private static final double TOLERANCE = 0.02;

  private static final double NANOSECONDS_PER_MILLISECOND = 1e6;

  /**
   * The attention of a run.
   *
   * @param sequences the sequences of a micro-batch
   * @param hasOneLength whether all sequences have the same length; cuDNN prepares a plan for each
   */
  public record Use(
      PositionalScheme scheme,
      Attention.Pass pass,
      int sequences,
      boolean hasOneLength,
      Numerics numerics,
      Device device) {

    /** Whether cuDNN's attention can compute it. */
    boolean suitsCudnn() {
      return device.isGpu()
          && numerics.isBf16()
          && hasOneLength
          && attendsWithoutGradientsOfBiases();
    }

    boolean attendsWithoutGradientsOfBiases() {
      if (!scheme.parameters(pass.heads(), pass.width()).isEmpty()) {
        return false;
      }
      try (AttentionKernels kernels = new AttentionKernels(device, numerics);
          NDManager manager = NDManager.newBaseManager(device, "PyTorch")) {
        return begin(kernels, manager) instanceof SchemeAttention form && form.suitsCudnn();
      }
    }

    private Attention begin(AttentionKernels kernels, NDManager manager) {
      return Attention.begin(
          scheme,
          kernels,
          (name, block) -> {
            throw new IllegalArgumentException("no parameter " + name);
          },
          pass,
          manager);
    }

    /** Times the attention of a layer on random tensors, forward and backward. */
    Timing time(boolean cudnn) {
      try (AttentionKernels kernels = new AttentionKernels(device, numerics.withCudnn(cudnn));
          NDManager manager = NDManager.newBaseManager(device, "PyTorch")) {
        Timing best = time(kernels.withGradient(), manager);
        for (int call = 1; call < CALLS; call++) {
          Timing next = time(kernels.withGradient(), manager);
          best = next.milliseconds() < best.milliseconds() ? next : best;
        }
        return best;
      }
    }

    private Timing time(AttentionKernels kernels, NDManager owner) {
      try (NDManager call = owner.newSubManager();
          GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
        Shape shape = new Shape(sequences, pass.length(), 3L * pass.width());
        NDArray qkv_BT3d = call.randomNormal(0, 1, shape, DataType.FLOAT32);
        qkv_BT3d.setRequiresGradient(true);
        qkv_BT3d.sum().getFloat(); // waits for the device
        long start = System.nanoTime();
        collector.backward(begin(kernels, call).attend(qkv_BT3d, 0, 0).sum());
        double norm = qkv_BT3d.getGradient().norm().getFloat();
        return new Timing((System.nanoTime() - start) / NANOSECONDS_PER_MILLISECOND, norm);
      }
    }
  }

  /**
   * The time of a kernel.
   *
   * @param norm the norm of the gradient
   */
  record Timing(double milliseconds, double norm) {}

  @FunctionalInterface
  interface Trial {
    Timing time(boolean cudnn);
  }

  /**
   * {@return the choice for a run}
   *
   * @throws ConfigException if cuDNN's attention is demanded and cannot compute this run
   */
  public static KernelChoice of(AttentionKernel setting, Use use) {
    return setting == AttentionKernel.FLASH
        ? new KernelChoice(false, Optional.empty())
        : of(setting, use.suitsCudnn(), use::time);
  }

  static KernelChoice of(AttentionKernel setting, boolean suitsCudnn, Trial trial) {
    boolean isDemanded = setting == AttentionKernel.CUDNN;
    if (!suitsCudnn) {
      if (!isDemanded) {
        return new KernelChoice(false, Optional.empty());
      }
      throw new ConfigException(
          KEY,
          "auto or flash; cuDNN's attention is for training on a GPU in bfloat16, with sequences of"
              + " one length, without positions, with RoPE or with a fixed bias by distance",
          "cudnn",
          NEXT);
    }
    Timing flash = trial.time(false);
    Timing cudnn;
    try {
      cudnn = trial.time(true);
    } catch (RuntimeException e) {
      String cause =
          "cuDNN's attention failed: "
              + String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      if (isDemanded) {
        throw new ConfigException(KEY, "a kernel that runs", cause, NEXT, e);
      }
      return because(false, cause);
    }
    String times =
        String.format(
            Locale.ROOT,
            "a layer forward and backward takes %.3f ms with flash attention, %.3f ms with cuDNN's",
            flash.milliseconds(),
            cudnn.milliseconds());
    boolean isEqual = Math.abs(cudnn.norm() - flash.norm()) <= TOLERANCE * flash.norm();
    if (!isEqual && !isDemanded) {
      String norms = "gradients differ, with norms %s and %s".formatted(flash.norm(), cudnn.norm());
      return because(false, times + "; " + norms);
    }
    return because(isDemanded || cudnn.milliseconds() < flash.milliseconds(), times);
  }

  private static KernelChoice because(boolean cudnn, String reason) {
    String kernel = cudnn ? "cuDNN's attention" : "flash attention";
    return new KernelChoice(cudnn, Optional.of("training uses %s: %s".formatted(kernel, reason)));
  }
}
