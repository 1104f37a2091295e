package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.lengthwise.config.Checks;
import org.lengthwise.config.EnumName;
import org.lengthwise.config.InvalidValueException;

/**
 * A change of rotations at test time, without further training. It makes rotations by positions
 * beyond the training length similar to rotations within it. In configurations it is the name of
 * the kind, such as {@code yarn}, or with a fixed factor {@code yarn:4}.
 *
 * @param factor the factor of the formula at every length, at least 1; 0 for max(1, T / T_tr)
 */
public record PositionScaling(Kind kind, double factor) {
  /** Rotations are not changed. */
  public static final PositionScaling NONE = new PositionScaling(Kind.NONE, 0);

  private static final String LINEAR = "linear";

  public enum Kind {
    /** Rotations are not changed. */
    NONE,
    /** Positions are compressed into the training length (Chen et al., 2023). */
    INTERPOLATION,
    /** A larger base: slow pairs are compressed, fast pairs almost not ("NTK-aware", 2023). */
    NTK,
    /**
     * Slow pairs are compressed, fast pairs are not, and scores are scaled by a temperature (Peng
     * et al., 2023).
     */
    YARN,
    /**
     * As {@link #NTK}, with the s of {@link RopeScaling.Dynamic} and limit T_tr; needs a factor.
     */
    DYNAMIC
  }

  public PositionScaling {
    boolean isFactor = factor >= 1 && Double.isFinite(factor);
    Checks.require(
        switch (kind) {
          case NONE -> factor == 0;
          case DYNAMIC -> isFactor;
          case INTERPOLATION, NTK, YARN -> factor == 0 || isFactor;
        },
        "",
        kind == Kind.NONE ? "none without a factor" : "a factor of at least 1, as in dynamic:4",
        factor == 0 ? "no factor" : factor);
  }

  public PositionScaling(Kind kind) {
    this(kind, 0);
  }

  /**
   * Reads a scaling such as {@code yarn}, {@code linear} or {@code yarn:4}: the name of a kind,
   * with or without a factor.
   *
   * @throws InvalidValueException if the text is no scaling
   */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static PositionScaling of(String text) {
    String[] parts = text.split(":", 2);
    List<String> names =
        Stream.concat(Arrays.stream(Kind.values()).map(EnumName::of), Stream.of(LINEAR)).toList();
    Checks.oneOf("", parts[0], names);
    Kind kind =
        parts[0].equals(LINEAR) ? Kind.INTERPOLATION : EnumName.constant(Kind.class, parts[0]);
    if (parts.length == 1) {
      return new PositionScaling(kind);
    }
    try {
      double factor = new BigDecimal(parts[1]).doubleValue();
      Checks.require(factor != 0, "", "a factor of at least 1", text);
      return new PositionScaling(kind, factor);
    } catch (NumberFormatException e) {
      throw new InvalidValueException("", "a name and a factor, such as yarn:4", text);
    }
  }

  @JsonValue
  public String text() {
    return EnumName.of(kind) + (factor == 0 ? "" : ":" + number());
  }

  @Override
  public String toString() {
    return text();
  }

  /** {@return the end of a name in results, such as {@code yarn} or {@code yarn-4}} */
  public String label() {
    return text().replace(':', '-');
  }

  public boolean dependsOnLength() {
    return factor == 0;
  }

  private String number() {
    return BigDecimal.valueOf(factor).stripTrailingZeros().toPlainString();
  }
}
