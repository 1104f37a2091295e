package org.lengthwise.training.config;

import org.lengthwise.config.Checks;
import org.lengthwise.config.RetiredKey;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.positional.PositionalScheme;

/**
 * The configuration of a training run. Together with the data it decides every number.
 *
 * @param name the run's name in results and reports, the same for all seeds
 * @param seed the seed of all randomness
 * @param model the model's size
 * @param position the positional scheme
 * @param optimizer the optimizer's settings
 * @param training the loop's settings
 */
@RetiredKey(key = "position.thickness", replacedBy = "model.layers")
public record TrainingConfig(
    String name,
    long seed,
    ModelSize model,
    PositionalScheme position,
    OptimizerConfig optimizer,
    LoopConfig training) {
  /** Requires a valid name, and a scheme that fits the model and the length. */
  public TrainingConfig {
    Checks.name("name", name);
    position.requireShape(model.heads(), model.width());
    Checks.require(
        training.length() <= position.longestLength(),
        "training.length",
        "at most %d, the positions of %s".formatted(position.longestLength(), position.label()),
        training.length());
  }

  /**
   * The model of this run.
   *
   * @param vocabulary V, from the task
   * @return the model's shape
   */
  public ModelConfig modelConfig(int vocabulary) {
    return model.with(position, vocabulary);
  }

  /**
   * This run with the settings of another one that {@linkplain LoopConfig#resumedAs a resumed run
   * may change}.
   *
   * @param other the configuration of the resumed run
   * @return the run
   */
  public TrainingConfig resumedAs(TrainingConfig other) {
    return new TrainingConfig(
        name, seed, model, position, optimizer, training.resumedAs(other.training));
  }

  /**
   * A model's size.
   *
   * @param layers K, the number of distinct blocks
   * @param width d
   * @param heads H
   */
  public record ModelSize(int layers, int width, int heads) {
    /** Requires positive numbers, and heads that divide the width. */
    public ModelSize {
      Checks.atLeast("layers", layers, 1);
      Checks.atLeast("width", width, 1);
      Checks.atLeast("heads", heads, 1);
      Checks.require(width % heads == 0, "heads", "a divisor of width " + width, heads);
    }

    ModelConfig with(PositionalScheme position, int vocabulary) {
      return new ModelConfig(layers, width, heads, vocabulary, position);
    }
  }
}
