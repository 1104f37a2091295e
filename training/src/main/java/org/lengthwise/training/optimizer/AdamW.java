package org.lengthwise.training.optimizer;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.IValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.lengthwise.kernel.EngineMemory;
import org.lengthwise.kernel.KernelModule;
import org.lengthwise.model.ParameterSpec;
import org.lengthwise.model.Weights;
import org.lengthwise.positional.PositionalParameter.Bounds;
import org.lengthwise.training.config.OptimizerConfig;

/**
 * AdamW over the trained weights of a model, in groups: tensors that decay, and all others by the
 * factor on their learning rate. Tables of biases that start flat and parameters of formulas may
 * have one.
 *
 * <p>Source: Loshchilov and Hutter, "Decoupled Weight Decay Regularization", ICLR 2019; moments,
 * bias correction and update run fused, in place, in float32.
 */
public final class AdamW implements AutoCloseable {
  private static final String FIRST = ".exp_avg";
  private static final String SECOND = ".exp_avg_sq";

  /** What the names of a weight's two moments end with. */
  public static final List<String> MOMENTS = List.of(FIRST, SECOND);

  private final OptimizerConfig config;
  private final Weights weights;
  private final NDManager manager;
  private final KernelModule kernels;
  private final Map<String, NDArray> moments = new LinkedHashMap<>();
  private final List<ParameterSpec> trained;
  private final List<Double> factors;
  private @Nullable PtNDArray counted;
  private long updates;

  /** An optimizer whose moments are zero. */
  public AdamW(OptimizerConfig config, Weights weights) {
    this.config = config;
    this.weights = weights;
    this.kernels = KernelModule.load(AdamW.class, "optimizer.py", weights.device());
    this.manager = NDManager.newBaseManager(weights.device(), "PyTorch");
    this.trained = weights.layout().stream().filter(config::trains).toList();
    trained.forEach(spec -> addMoments(spec.name(), weights.get(spec.name()).getShape()));
    this.factors =
        trained.stream().filter(spec -> !spec.decays()).map(this::factor).distinct().toList();
  }

  private void addMoments(String name, Shape shape) {
    for (String suffix : MOMENTS) {
      moments.put(name + suffix, manager.zeros(shape));
    }
  }

  /**
   * Scales the gradients so that their global norm is at most the configured limit. Returns the
   * norm before scaling, a scalar on the device, to be closed by the caller; not finite if a
   * gradient is not finite.
   */
  public NDArray clip() {
    try (Gradients gradients = new Gradients(trained);
        IValue norm = kernels.call("clip", gradients.list(), IValue.from(config.clipNorm()))) {
      return norm.toTensor((PtNDManager) manager);
    }
  }

  /**
   * Updates the trained weights, clamps bounded weights to their bounds, and clears the gradients.
   *
   * @param step the number of this update, from 1
   * @param rate the learning rate; that of tables that start flat is {@code positionalRate} times
   *     as high, and that of a formula's parameter has the parameter's own factor
   */
  public void update(long step, double rate) {
    PtNDArray count = count(step);
    updateGroup(ParameterSpec::decays, count, rate, config.weightDecay());
    for (double factor : factors) {
      updateGroup(spec -> !spec.decays() && factor(spec) == factor, count, rate * factor, 0);
    }
    for (ParameterSpec spec : trained) {
      if (!spec.bounds().equals(Bounds.NONE)) {
        bound(spec);
      }
    }
    try (Gradients gradients = new Gradients(trained)) {
      kernels.call("zero", gradients.list()).close();
    }
  }

  private double factor(ParameterSpec spec) {
    return spec.startsFlat() ? config.positionalRate() * spec.rate() : spec.rate();
  }

  /** The number of an update on the device. It counts there, so that no step copies a number. */
  private PtNDArray count(long step) {
    if (counted == null || step != updates + 1) {
      if (counted != null) {
        counted.close();
      }
      counted = (PtNDArray) EngineMemory.tensor(manager, new float[] {step}, new Shape());
    } else {
      kernels.call("count", IValue.from(counted)).close();
    }
    updates = step;
    return counted;
  }

  private void updateGroup(
      Predicate<ParameterSpec> member, PtNDArray count, double rate, double decay) {
    List<ParameterSpec> group = trained.stream().filter(member).toList();
    if (group.isEmpty()) {
      return;
    }
    try (Gradients gradients = new Gradients(group)) {
      kernels
          .call(
              "adamw",
              list(group.stream().map(spec -> weights.get(spec.name())).toList()),
              gradients.list(),
              list(group.stream().map(spec -> moment(spec, FIRST)).toList()),
              list(group.stream().map(spec -> moment(spec, SECOND)).toList()),
              IValue.from(count),
              IValue.from(rate),
              IValue.from(config.beta1()),
              IValue.from(config.beta2()),
              IValue.from(decay),
              IValue.from(config.epsilon()))
          .close();
    }
  }

  private void bound(ParameterSpec spec) {
    kernels
        .call(
            "bound",
            IValue.from((PtNDArray) weights.get(spec.name())),
            IValue.from(spec.bounds().low()),
            IValue.from(spec.bounds().high()))
        .close();
  }

  private NDArray moment(ParameterSpec spec, String suffix) {
    return Objects.requireNonNull(moments.get(spec.name() + suffix));
  }

  /** {@return the gradients of the trained weights, to be closed by the caller} */
  public List<NDArray> gradients() {
    return new Gradients(trained).arrays;
  }

  /**
   * {@return the moments by name, each trained weight's name followed by {@code .exp_avg} or {@code
   * .exp_avg_sq}, owned by this optimizer}
   */
  public Map<String, NDArray> moments() {
    return Collections.unmodifiableMap(moments);
  }

  /** Replaces a moment. */
  public void restore(String name, float[] numbers) {
    try (NDArray before = Objects.requireNonNull(moments.get(name))) {
      moments.put(name, EngineMemory.tensor(manager, numbers, before.getShape()));
    }
  }

  private static IValue list(List<NDArray> arrays) {
    return IValue.listFrom(arrays.toArray(PtNDArray[]::new));
  }

  @Override
  public void close() {
    kernels.close();
    manager.close();
  }

  /** Handles of the gradients of a group. They are closed together. */
  private final class Gradients implements AutoCloseable {
    private final List<NDArray> arrays = new ArrayList<>();

    Gradients(List<ParameterSpec> group) {
      group.forEach(spec -> arrays.add(weights.get(spec.name()).getGradient()));
    }

    IValue list() {
      return AdamW.list(arrays);
    }

    @Override
    public void close() {
      arrays.forEach(NDArray::close);
    }
  }
}
