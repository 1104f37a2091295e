package org.lengthwise.training.config;

/**
 * AdamW with a linear warm-up and a cosine decay.
 *
 * @param learningRate the largest rate
 * @param beta1 the decay of the first moment
 * @param beta2 the decay of the second moment
 * @param epsilon the term that keeps the division finite
 * @param weightDecay the decoupled decay of matrices
 * @param clipNorm the largest global gradient norm
 * @param warmupFraction the share of all steps spent warming up
 * @param finalFraction the last rate as a share of the largest
 */
public record OptimizerConfig(
    double learningRate,
    double beta1,
    double beta2,
    double epsilon,
    double weightDecay,
    double clipNorm,
    double warmupFraction,
    double finalFraction) {

  /** Checks the values. */
  public OptimizerConfig {
    Checks.within("learning_rate", 0, 10, learningRate);
    Checks.within("beta1", 0, Math.nextDown(1.0), beta1);
    Checks.within("beta2", 0, Math.nextDown(1.0), beta2);
    Checks.within("epsilon", 0, 1, epsilon);
    Checks.within("weight_decay", 0, 10, weightDecay);
    Checks.within("clip_norm", Double.MIN_VALUE, Double.MAX_VALUE, clipNorm);
    Checks.within("warmup_fraction", 0, 1, warmupFraction);
    Checks.within("final_fraction", 0, 1, finalFraction);
  }
}
