package org.lengthwise.positional;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is changed in a trained model's scheme for a measurement. The weights stay.
 *
 * @param scaling how positions beyond the training length are scaled
 * @param temperature what scores are multiplied by
 */
public record PositionChange(PositionScaling scaling, TestTemperature temperature) {
  public static final PositionChange NONE =
      new PositionChange(PositionScaling.NONE, TestTemperature.NONE);

  public static List<PositionChange> all(
      List<PositionScaling> scalings, List<TestTemperature> temperatures) {
    return scalings.stream()
        .flatMap(scaling -> temperatures.stream().map(other -> new PositionChange(scaling, other)))
        .toList();
  }

  /** {@return whether a scheme trained at T_tr can be changed so} */
  public boolean suits(PositionalScheme scheme, int trainLength) {
    return changed(scheme, trainLength).isPresent();
  }

  private Optional<PositionalScheme> changed(PositionalScheme scheme, int trainLength) {
    Optional<PositionalScheme> scaled =
        scaling.equals(PositionScaling.NONE)
            ? Optional.of(scheme)
            : scheme.scaled(scaling, trainLength);
    return temperature
        .temperature()
        .map(it -> scaled.flatMap(other -> other.tempered(it.trainedAt(trainLength))))
        .orElse(scaled);
  }

  /**
   * {@return the scheme that replaces one trained at T_tr}
   *
   * @throws IllegalArgumentException if this change does not suit it
   */
  public PositionalScheme of(PositionalScheme scheme, int trainLength) {
    return changed(scheme, trainLength)
        .orElseThrow(
            () ->
                new IllegalArgumentException(scheme.label() + " cannot be changed by " + suffix()));
  }

  /**
   * {@return the end of a name in results, such as {@code -yarn-log-length}; empty without change}
   */
  public String suffix() {
    return Stream.of(
            scaling.equals(PositionScaling.NONE) ? "" : "-" + scaling.label(),
            temperature.equals(TestTemperature.NONE) ? "" : "-" + temperature.label())
        .reduce("", String::concat);
  }
}
