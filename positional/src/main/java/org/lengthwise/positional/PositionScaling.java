package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonAlias;
import org.lengthwise.config.EnumName;

/**
 * A change of rotations at test time, without further training. It makes rotations by positions
 * beyond the training length similar to rotations within it.
 */
public enum PositionScaling {
  /** Rotations are not changed. */
  NONE,
  /**
   * Positions are compressed into the training length (Chen et al., 2023); {@code linear} is
   * another name.
   */
  @JsonAlias("linear")
  INTERPOLATION,
  /** A larger base: slow pairs are compressed, fast pairs almost not ("NTK-aware", 2023). */
  NTK,
  /**
   * Slow pairs are compressed, fast pairs are not, and scores are scaled by a temperature (Peng et
   * al., 2023).
   */
  YARN;

  /**
   * {@return the name in configurations and results: {@code none}, {@code interpolation}, {@code
   * ntk} or {@code yarn}}
   */
  public String label() {
    return EnumName.of(this);
  }
}
