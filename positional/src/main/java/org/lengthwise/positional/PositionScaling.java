package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * What is done at test time, without any further training, so that rotations by positions beyond
 * the training length look like those within it.
 */
public enum PositionScaling {
  /** Positions as they are. */
  NONE,
  /** Positions pressed into the training length (Chen et al., 2023). */
  INTERPOLATION,
  /** A larger base: slow pairs are pressed, fast ones hardly ("NTK-aware", 2023). */
  NTK,
  /** Pairs pressed or not by how often they turn in training, and a temperature (Peng, 2023). */
  YARN;

  /**
   * The name in configurations and results.
   *
   * @return {@code none}, {@code interpolation}, {@code ntk} or {@code yarn}
   */
  @JsonValue
  public String label() {
    return Labels.of(this);
  }

  /**
   * The scaling with a name.
   *
   * @param label one of the names
   * @return the scaling
   * @throws IllegalArgumentException for any other name
   */
  @JsonCreator
  public static PositionScaling of(String label) {
    return Labels.constant(PositionScaling.class, label);
  }
}
