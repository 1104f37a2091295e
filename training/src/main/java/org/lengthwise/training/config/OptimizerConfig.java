package org.lengthwise.training.config;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;

/**
 * AdamW with a linear warm-up, a cosine decay and a decay by steps.
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
 * @param stepDecay the factor of the rate at each decay by steps, such as 0.98
 * @param decaySteps the steps between two such decays, such as those of an epoch
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
    double finalFraction,
    @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = One.class) @AbsentMeans("1.0")
        double stepDecay,
    @JsonInclude(value = JsonInclude.Include.CUSTOM, valueFilter = One.class)
        @AbsentMeans("1")
        @Unit("steps")
        long decaySteps) {

  /** Equals a default that is not written, so that older runs have the same description. */
  static final class One {
    @Override
    public boolean equals(@Nullable Object value) {
      return value instanceof Number number && number.doubleValue() == 1;
    }

    @Override
    public int hashCode() {
      return 0;
    }
  }

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
    Checks.require(
        stepDecay > 0 && stepDecay <= 1, "step_decay", "above 0 and at most 1", stepDecay);
    Checks.atLeast("decay_steps", decaySteps, 1);
  }

  /** Without a decay by steps. */
  public OptimizerConfig(
      double learningRate,
      double positionalRate,
      double beta1,
      double beta2,
      double epsilon,
      double weightDecay,
      double clipNorm,
      double warmupFraction,
      double finalFraction) {
    this(
        learningRate,
        positionalRate,
        beta1,
        beta2,
        epsilon,
        weightDecay,
        clipNorm,
        warmupFraction,
        finalFraction,
        1,
        1);
  }

  /** {@return the settings of conf/base.yaml with another learning rate} */
  public static OptimizerConfig of(double learningRate) {
    return new OptimizerConfig(learningRate, 1, 0.9, 0.95, 1e-8, 0.1, 1, 0.01, 0.1);
  }
}
