package org.lengthwise.training.optimizer;

import org.lengthwise.training.config.OptimizerConfig;

/**
 * AdamW on one tensor in plain doubles: what {@link AdamW} is tested against.
 *
 * <p>Source: Loshchilov and Hutter, "Decoupled Weight Decay Regularization", ICLR 2019, algorithm
 * 2, with the learning rate as the schedule's multiplier.
 */
public final class ReferenceAdamW {
  private final OptimizerConfig config;
  private final boolean decays;
  private final double[] first;
  private final double[] second;
  private int step;

  /**
   * An optimiser whose moments are zero.
   *
   * @param config its settings
   * @param decays whether weight decay applies
   * @param size how many numbers the tensor has
   */
  public ReferenceAdamW(OptimizerConfig config, boolean decays, int size) {
    this.config = config;
    this.decays = decays;
    this.first = new double[size];
    this.second = new double[size];
  }

  /**
   * Makes one update in place.
   *
   * @param weights the tensor
   * @param gradient its gradient, already clipped
   * @param rate the learning rate
   */
  public void update(double[] weights, double[] gradient, double rate) {
    step++;
    double decay = decays ? config.weightDecay() : 0;
    for (int i = 0; i < weights.length; i++) {
      first[i] = config.beta1() * first[i] + (1 - config.beta1()) * gradient[i];
      second[i] = config.beta2() * second[i] + (1 - config.beta2()) * gradient[i] * gradient[i];
      double mean = first[i] / (1 - Math.pow(config.beta1(), step));
      double scale = Math.sqrt(second[i] / (1 - Math.pow(config.beta2(), step)));
      weights[i] -= rate * (mean / (scale + config.epsilon()) + decay * weights[i]);
    }
  }

  /**
   * The factor that brings gradients to a largest global norm.
   *
   * @param norm their global norm
   * @param limit the largest norm
   * @return 1 or less
   */
  public static double clipFactor(double norm, double limit) {
    return Math.min(1, limit / (norm + 1e-6));
  }
}
