package org.lengthwise.positional.attention;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.util.Locale;
import java.util.Optional;
import org.lengthwise.error.ConfigException;
import org.lengthwise.kernel.KernelModule;
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

  /** The largest difference between two gradients of the same tensor, relative to their norm. */
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
      Device device)
      implements Trial {

    /** Whether cuDNN's attention can compute it. */
    public boolean suitsCudnn() {
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

    @Override
    public double milliseconds(boolean cudnn) {
      try (AttentionKernels kernels = new AttentionKernels(device, numerics.withCudnn(cudnn));
          NDManager manager = NDManager.newBaseManager(device, "PyTorch")) {
        double best = Double.MAX_VALUE;
        for (int call = 0; call < CALLS; call++) {
          try (NDManager own = manager.newSubManager()) {
            NDArray qkv_BT3d = input(own);
            long start = System.nanoTime();
            gradient(qkv_BT3d, kernels).sum().getFloat(); // waits for the device
            best = Math.min(best, (System.nanoTime() - start) / NANOSECONDS_PER_MILLISECOND);
          }
        }
        return best;
      }
    }

    @Override
    public double difference() {
      try (AttentionKernels flash = new AttentionKernels(device, numerics.withCudnn(false));
          AttentionKernels cudnn = new AttentionKernels(device, numerics.withCudnn(true));
          NDManager manager = NDManager.newBaseManager(device, "PyTorch")) {
        NDList expected = gradient(input(manager), flash).split(3, 2);
        NDList found = gradient(input(manager), cudnn).split(3, 2);
        double most = 0;
        for (int part = 0; part < 3; part++) {
          NDArray apart = found.get(part).sub(expected.get(part)).norm();
          most = Math.max(most, apart.div(expected.get(part).norm()).getFloat()); // NaN stays
        }
        return most;
      }
    }

    /** Queries, keys and values of a layer, always the same numbers. */
    private NDArray input(NDManager owner) {
      Shape shape = new Shape(sequences, pass.length(), 3L * pass.width());
      NDArray numbers = owner.arange(0, (float) shape.size(), 1, DataType.FLOAT32).sin();
      NDArray qkv_BT3d = numbers.mul(1e4).sin().reshape(shape); // without a pattern
      qkv_BT3d.setRequiresGradient(true);
      qkv_BT3d.sum().getFloat(); // waits for the device
      return qkv_BT3d;
    }

    private NDArray gradient(NDArray qkv_BT3d, AttentionKernels kernels) {
      try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
        Attention attention = begin(kernels.withGradient(), qkv_BT3d.getManager());
        collector.backward(attention.attend(qkv_BT3d, 0, 0).sum());
        return qkv_BT3d.getGradient();
      }
    }
  }

  /** Runs the attention of a layer, forward and backward. */
  interface Trial {

    /** {@return the shortest time with a kernel} */
    double milliseconds(boolean cudnn);

    /**
     * {@return how much the two kernels' gradients of queries, keys or values differ, relative to
     * their norm}
     */
    double difference();
  }

  /**
   * {@return the choice for a run}
   *
   * @throws ConfigException if cuDNN's attention is demanded and cannot compute this run
   */
  public static KernelChoice of(AttentionKernel setting, Use use) {
    return setting == AttentionKernel.FLASH
        ? new KernelChoice(false, Optional.empty())
        : of(setting, use.suitsCudnn(), use);
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
    double flash = trial.milliseconds(false);
    double cudnn;
    double difference;
    try {
      cudnn = trial.milliseconds(true);
      difference = trial.difference();
    } catch (RuntimeException e) {
      String cause = "cuDNN's attention failed: " + KernelModule.cause(e);
      if (isDemanded) {
        throw new ConfigException(KEY, "a kernel that runs", cause, NEXT, e);
      }
      return because(false, cause);
    }
    String times =
        String.format(
            Locale.ROOT,
            "a layer forward and backward takes %.3f ms with flash attention, %.3f ms with cuDNN's",
            flash,
            cudnn);
    if (!(difference <= TOLERANCE) && !isDemanded) { // NaN also counts as a difference
      return because(false, times + "; their gradients differ by a share of " + difference);
    }
    return because(isDemanded || cudnn < flash, times);
  }

  private static KernelChoice because(boolean cudnn, String reason) {
    String kernel = cudnn ? "cuDNN's attention" : "flash attention";
    return new KernelChoice(cudnn, Optional.of("training uses %s: %s".formatted(kernel, reason)));
  }
}
