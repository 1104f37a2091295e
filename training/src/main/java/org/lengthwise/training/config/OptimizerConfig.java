package org.lengthwise.training.config;

import org.lengthwise.config.Checks;

/**
 * AdamW with a linear warm-up and a cosine decay.
 *
 * @param learningRate the largest learning rate
 * @param positionalRate the factor of the learning rate of tables of biases that start flat:
 *     RegularGPT's r, and T5's table if it is added without a factor
 * @param beta1 the decay of the first moment of a gradient
 * @param beta2 the decay of the second moment of a gradient
 * @param epsilon the number added to the root of the second moment
 * @param weightDecay the decoupled decay of matrices; positional parameters have none
 * @param clipNorm the largest norm of the gradient of all parameters; a larger one is scaled down
 * @param warmupFraction the share of all steps in which the rate grows linearly
 * @param finalFraction the last rate divided by the largest, after a cosine; 1 is a constant rate
 */
public record OptimizerConfig(
    double learningRate,
    double positionalRate,
    double beta1,
    double beta2,
    double epsilon,
    double weightDecay,
    double clipNorm,
    double warmupFraction,
    double finalFraction) {

  public OptimizerConfig {
    Checks.within("learning_rate", learningRate, 0, 10);
    Checks.within("positional_rate", positionalRate, 0, 1000);
    Checks.require(beta1 >= 0 && beta1 < 1, "beta1", "at least 0 and below 1", beta1);
    Checks.require(beta2 >= 0 && beta2 < 1, "beta2", "at least 0 and below 1", beta2);
    Checks.within("epsilon", epsilon, 0, 1);
    Checks.within("weight_decay", weightDecay, 0, 10);
    Checks.above("clip_norm", clipNorm, 0);
    Checks.within("warmup_fraction", warmupFraction, 0, 1);
    Checks.within("final_fraction", finalFraction, 0, 1);
  }

  /** {@return the settings of conf/base.yaml with another learning rate} */
  public static OptimizerConfig of(double learningRate) {
    return new OptimizerConfig(learningRate, 1, 0.9, 0.95, 1e-8, 0.1, 1, 0.01, 0.1);
  }
}
