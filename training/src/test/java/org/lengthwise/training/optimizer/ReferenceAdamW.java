package org.lengthwise.training.optimizer;

import org.lengthwise.model.ParameterSpec;
import org.lengthwise.training.config.OptimizerConfig;

/**
 * AdamW on one tensor in plain doubles.
 *
 * <p>Source: Loshchilov and Hutter, "Decoupled Weight Decay Regularization", ICLR 2019, algorithm
 * 2, with the learning rate as the schedule's multiplier.
 */
public final class ReferenceAdamW {
  private final OptimizerConfig config;
  private final ParameterSpec tensor;
  private final double[] first;
  private final double[] second;
  private int step;

  public ReferenceAdamW(OptimizerConfig config, ParameterSpec tensor) {
    this.config = config;
    this.tensor = tensor;
    this.first = new double[Math.toIntExact(tensor.size())];
    this.second = new double[Math.toIntExact(tensor.size())];
  }

  /**
   * Updates a tensor in place.
   *
   * @param rate the learning rate, without {@code positionalRate}
   */
  public void update(double[] weights, double[] gradient, double rate) {
    step++;
    double decay = tensor.decays() ? config.weightDecay() : 0;
    double own = tensor.startsFlat() ? rate * config.positionalRate() : rate;
    for (int i = 0; i < weights.length; i++) {
      first[i] = config.beta1() * first[i] + (1 - config.beta1()) * gradient[i];
      second[i] = config.beta2() * second[i] + (1 - config.beta2()) * gradient[i] * gradient[i];
      double mean = first[i] / (1 - Math.pow(config.beta1(), step));
      double scale = Math.sqrt(second[i] / (1 - Math.pow(config.beta2(), step)));
      weights[i] -= own * (mean / (scale + config.epsilon()) + decay * weights[i]);
    }
  }

  /** {@return the factor that clips gradients, 1 or less} */
  public static double clipFactor(double norm, double limit) {
    return Math.min(1, limit / (norm + 1e-6));
  }
}
