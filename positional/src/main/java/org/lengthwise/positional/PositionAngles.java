package org.lengthwise.positional;

import java.util.Arrays;

/**
 * The cosine and sine of m times each frequency, for one position m after the other.
 *
 * <p>Implementation note: {@link #advance} multiplies complex numbers. This is ten times cheaper
 * than a cosine, and in doubles as exact after many thousand positions.
 */
public final class PositionAngles {
  private final double[] stepCos_P;
  private final double[] stepSin_P;
  private final double[] cos_P;
  private final double[] sin_P;

  /** Starts at position 0, with the angles between neighbouring positions, in radians. */
  public PositionAngles(double[] frequencies, double factor) {
    this(frequencies, factor, 0);
  }

  public PositionAngles(double[] frequencies, double factor, long position) {
    this.stepCos_P = Arrays.stream(frequencies).map(Math::cos).toArray();
    this.stepSin_P = Arrays.stream(frequencies).map(Math::sin).toArray();
    this.cos_P = Arrays.stream(frequencies).map(f -> factor * Math.cos(position * f)).toArray();
    this.sin_P = Arrays.stream(frequencies).map(f -> factor * Math.sin(position * f)).toArray();
  }

  /** {@return the cosine at the current position, times the factor} */
  public double cos(int pair) {
    return cos_P[pair];
  }

  /** {@return the sine at the current position, times the factor} */
  public double sin(int pair) {
    return sin_P[pair];
  }

  public void advance() {
    for (int i = 0; i < cos_P.length; i++) {
      double cos = cos_P[i] * stepCos_P[i] - sin_P[i] * stepSin_P[i];
      sin_P[i] = sin_P[i] * stepCos_P[i] + cos_P[i] * stepSin_P[i];
      cos_P[i] = cos;
    }
  }
}
