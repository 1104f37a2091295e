package org.lengthwise.positional;

/**
 * RoPE at test time, its rotations scaled by s = max(1, T / T_tr): up to the training length it is
 * RoPE itself. With theta<sub>i</sub> = base<sup>-2i/D</sup>, a pair turns by
 *
 * <ul>
 *   <li>interpolation: theta<sub>i</sub> / s;
 *   <li>ntk: theta<sub>i</sub> s<sup>-2i/(D-2)</sup>, which is a base of base s<sup>D/(D-2)</sup>:
 *       the fastest pair as before, the slowest as under interpolation;
 *   <li>yarn: (1 - g) theta<sub>i</sub> / s + g theta<sub>i</sub>, where g rises from 0 to 1 as the
 *       pair's turns within T_tr, T_tr theta<sub>i</sub> / 2 pi, go from 1 to 32; and queries and
 *       keys are stretched by 0.1 ln s + 1, the root of the inverse temperature.
 * </ul>
 *
 * <p>s follows the sequence actually read, so the result of a prefix beyond T_tr is not a prefix of
 * the result. Nothing is fine-tuned, which interpolation and YaRN are usually shown with.
 *
 * <p>Source: Chen et al., "Extending Context Window of Large Language Models via Positional
 * Interpolation", 2023; Peng, Quesnelle, Fan and Shippole, "YaRN: Efficient Context Window
 * Extension of Large Language Models", 2023, section 3 and, for the NTK-aware form that began as a
 * post by one of its authors, section 3.1; s by the sequence is its "dynamic scaling".
 *
 * @param rope what the model was trained with
 * @param scaling anything but {@link PositionScaling#NONE}
 * @param trainLength T_tr, at least 1
 */
public record ScaledRope(Rope rope, PositionScaling scaling, int trainLength) implements Rotary {
  private static final double FEWEST_TURNS = 1;
  private static final double MOST_TURNS = 32;

  /** Checks the values. */
  public ScaledRope {
    if (scaling == PositionScaling.NONE) {
      throw new IllegalArgumentException("scaling: expected one, found none");
    }
    if (trainLength < 1) {
      throw new IllegalArgumentException(
          "training length: expected at least 1, found " + trainLength);
    }
  }

  @Override
  public String label() {
    return rope.label() + "-" + scaling.label();
  }

  @Override
  public double[] frequencies(int headWidth, long length) {
    double[] frequencies = rope.frequencies(headWidth, length);
    for (int i = 0; i < frequencies.length; i++) {
      frequencies[i] *= slowing(i, frequencies[i], headWidth, factor(length));
    }
    return frequencies;
  }

  private double slowing(int pair, double frequency, int headWidth, double factor) {
    return switch (scaling) {
      case NONE -> 1;
      case INTERPOLATION -> 1 / factor;
      // A single pair is the fastest there is, and stays as it is.
      case NTK -> pair == 0 ? 1 : Math.pow(factor, -2.0 * pair / (headWidth - 2));
      case YARN -> {
        double turns = trainLength * frequency / (2 * Math.PI);
        double kept =
            Math.min(1, Math.max(0, (turns - FEWEST_TURNS) / (MOST_TURNS - FEWEST_TURNS)));
        yield (1 - kept) / factor + kept;
      }
    };
  }

  @Override
  public double stretch(long length) {
    return scaling == PositionScaling.YARN ? 0.1 * Math.log(factor(length)) + 1 : 1;
  }

  /** s. */
  private double factor(long length) {
    return Math.max(1, (double) length / trainLength);
  }
}
