package org.lengthwise.training.config;

import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;

/**
 * AdamW with a linear warm-up and a cosine decay.
 *
 * @param learningRate the largest rate
 * @param positionalRate the factor of the learning rate of tables of biases that start flat:
 *     RegularGPT's r, and T5's table if it is added without a factor. Runs of releases without this
 *     key had 1
 * @param beta1 the decay of the first moment
 * @param beta2 the decay of the second moment
 * @param epsilon the term added to the denominator
 * @param weightDecay the decoupled decay of matrices
 * @param clipNorm the largest global gradient norm
 * @param warmupFraction the share of all steps that warm up
 * @param finalFraction the last rate divided by the largest
 */
public record OptimizerConfig(
    double learningRate,
    @AbsentMeans("1.0") double positionalRate,
    double beta1,
    double beta2,
    double epsilon,
    double weightDecay,
    double clipNorm,
    double warmupFraction,
    double finalFraction) {

  /**
   * Requires fractions and decays from 0 to 1, rate and weight decay from 0 to 10, and a positional
   * rate from 0 to 1,000.
   */
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
}
