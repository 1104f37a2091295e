package org.lengthwise.training.config;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.model.ParameterSpec;

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
 * @param train the parts of the model that are trained: {@code position}, {@code attention}, {@code
 *     mlp}, {@code norms}, {@code embeddings}, or names of tensors with {@code *}; the others are
 *     frozen. Absent: all
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
        long decaySteps,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) @AbsentMeans("[]") List<String> train) {

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

  /** The tensors of parts. Those of the positional scheme belong to no other part. */
  private static final Map<String, String> PARTS =
      Map.of(
          "attention", "transformer.h.*.attn.*",
          "mlp", "transformer.h.*.mlp.*",
          "norms", "transformer.*ln_*",
          "embeddings", "transformer.wte.weight");

  private static final String POSITION = "position";

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
    train = train.isEmpty() ? List.of() : Checks.distinct("train", train);
  }

  /** An optimizer of all tensors, without a decay by steps. */
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
        1,
        List.of());
  }

  /** {@return whether a tensor is trained; otherwise it is frozen} */
  public boolean trains(ParameterSpec tensor) {
    return train.isEmpty() || train.stream().anyMatch(part -> isIn(part, tensor));
  }

  private static boolean isIn(String part, ParameterSpec tensor) {
    if (part.equals(POSITION)) {
      return tensor.isPositional();
    }
    String names = PARTS.getOrDefault(part, part);
    return !(PARTS.containsKey(part) && tensor.isPositional())
        && tensor.name().matches(names.replace(".", "\\.").replace("*", ".*"));
  }

  /** Requires that each part has a tensor. */
  void requireParts(List<ParameterSpec> tensors) {
    for (String part : train) {
      Checks.require(
          tensors.stream().anyMatch(tensor -> isIn(part, tensor)),
          "optimizer.train",
          "parts of the model: position (if the scheme learns numbers), %s, or names of tensors,"
                  .formatted(String.join(", ", new TreeSet<>(PARTS.keySet())))
              + " as inspect prints them, with *",
          part);
    }
  }

  /** {@return the settings of conf/base.yaml with another learning rate} */
  public static OptimizerConfig of(double learningRate) {
    return new OptimizerConfig(learningRate, 1, 0.9, 0.95, 1e-8, 0.1, 1, 0.01, 0.1);
  }
}
