package org.lengthwise.training.config;

import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.training.model.ModelConfig;

/**
 * Everything that decides a training run, together with the data it is given.
 *
 * @param name the run's name in results and reports, the same for all seeds
 * @param seed the seed of all randomness
 * @param model the model's size
 * @param position the positional scheme
 * @param optimizer the optimiser's settings
 * @param training the loop's settings
 */
public record TrainingConfig(
    String name,
    long seed,
    ModelSize model,
    PositionalScheme position,
    OptimizerConfig optimizer,
    LoopConfig training) {
  /** What a name in results and reports looks like: it becomes part of file names. */
  public static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]*";

  /** Checks the values. */
  public TrainingConfig {
    if (!name.matches(NAME)) {
      throw new IllegalArgumentException(
          "name: expected letters, digits, '.', '_' and '-', found '" + name + "'");
    }
    position.requireShape(model.layers(), model.heads(), model.width());
    if (training.length() > position.longestLength()) {
      throw new IllegalArgumentException(
          "training: length must be at most %d, the positions that %s has, found %d"
              .formatted(position.longestLength(), position.label(), training.length()));
    }
  }

  /**
   * The model of this run.
   *
   * @param vocabulary V, which the data's tokenizer decides
   * @return its shape
   */
  public ModelConfig modelConfig(int vocabulary) {
    return model.with(position, vocabulary);
  }

  /**
   * The same run as it may go on, with {@linkplain LoopConfig#resumedAs what another may change}.
   *
   * @param other what the run is asked to go on with
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
    /** Checks the values. */
    public ModelSize {
      Checks.atLeast("layers", 1, layers);
      Checks.atLeast("width", 1, width);
      Checks.atLeast("heads", 1, heads);
      if (width % heads != 0) {
        throw new IllegalArgumentException(
            "heads must be a divisor of width " + width + ", found " + heads);
      }
    }

    ModelConfig with(PositionalScheme position, int vocabulary) {
      return new ModelConfig(layers, width, heads, vocabulary, position);
    }
  }
}
