package org.lengthwise.positional;

import org.lengthwise.config.Checks;

/**
 * RoPE at test time, with rotations scaled by s = max(1, T / T_tr). Up to the training length it
 * equals RoPE. With theta<sub>i</sub> = base<sup>-2i/D</sup>, the frequency of pair i is
 *
 * <ul>
 *   <li>interpolation: theta<sub>i</sub> / s;
 *   <li>ntk: theta<sub>i</sub> s<sup>-2i/(D-2)</sup>. This equals a base of base
 *       s<sup>D/(D-2)</sup>: the fastest pair is not changed, the slowest is scaled as by
 *       interpolation;
 *   <li>yarn: (1 - g) theta<sub>i</sub> + g theta<sub>i</sub> / s, where g rises linearly with the
 *       index i, from 0 at pair low to 1 at pair high. The pair of n rotations within T_tr has the
 *       index p(n) = D ln(T_tr / (2 pi n)) / (2 ln base); low is p(32) rounded down, high is p(1)
 *       rounded up, and both are kept from 0 to D - 1. Queries and keys are multiplied by 0.1 ln s
 *       + 1, the root of the inverse temperature.
 * </ul>
 *
 * <p>This is YaRN as its authors released it and as other implementations run it. The text of the
 * paper has another g, which is linear in the number of rotations.
 *
 * <p>s depends on the length of the sequence that is read. So beyond T_tr the result of a prefix is
 * not a prefix of the result. Published results of interpolation and YaRN usually include
 * fine-tuning; here the weights are not changed.
 *
 * <p>Source: Chen et al., "Extending Context Window of Large Language Models via Positional
 * Interpolation", 2023; Peng, Quesnelle, Fan and Shippole, "YaRN: Efficient Context Window
 * Extension of Large Language Models", 2023, section 3, and section 3.1 for the NTK-aware form.
 * Their "dynamic scaling" is the choice of s by the length of the sequence.
 *
 * @param rope the scheme that the model was trained with
 * @param scaling any scaling except {@link PositionScaling#NONE}
 * @param trainLength T_tr, at least 1
 */
public record ScaledRope(Rope rope, PositionScaling scaling, int trainLength) implements Rotary {
  private static final double FEWEST_ROTATIONS = 1;
  private static final double MOST_ROTATIONS = 32;

  /** The width of the ramp if both of its bounds are the same pair. */
  private static final double SMALLEST_WIDTH = 0.001;

  /** Requires a scaling other than none, and T_tr >= 1. */
  public ScaledRope {
    Checks.require(
        scaling != PositionScaling.NONE, "scaling", "a scaling other than none", scaling.label());
    Checks.atLeast("training length", trainLength, 1);
  }

  @Override
  public String label() {
    return rope.label() + "-" + scaling.label();
  }

  @Override
  public double[] frequencies(int headWidth, long length) {
    double[] frequencies = rope.frequencies(headWidth, length);
    for (int i = 0; i < frequencies.length; i++) {
      frequencies[i] *= scale(i, headWidth, factor(length));
    }
    return frequencies;
  }

  private double scale(int pair, int headWidth, double factor) {
    return switch (scaling) {
      case NONE -> 1;
      case INTERPOLATION -> 1 / factor;
      // The fastest pair keeps its frequency, also where it is the only pair.
      case NTK -> pair == 0 ? 1 : Math.pow(factor, -2.0 * pair / (headWidth - 2));
      case YARN -> {
        double interpolated = interpolated(pair, headWidth);
        yield 1 - interpolated + interpolated / factor;
      }
    };
  }

  /** YaRN's g, the share of a pair that is interpolated. */
  private double interpolated(int pair, int headWidth) {
    double last = headWidth - 1.0;
    double low = Math.min(last, Math.max(0, Math.floor(pair(MOST_ROTATIONS, headWidth))));
    double high = Math.min(last, Math.max(0, Math.ceil(pair(FEWEST_ROTATIONS, headWidth))));
    double width = low == high ? SMALLEST_WIDTH : high - low;
    return Math.min(1, Math.max(0, (pair - low) / width));
  }

  /** The index of the pair, not rounded, that makes a number of rotations within T_tr. */
  private double pair(double rotations, int headWidth) {
    return headWidth
        * Math.log(trainLength / (2 * Math.PI * rotations))
        / (2 * Math.log(rope.base()));
  }

  @Override
  public double stretch(long length) {
    return scaling == PositionScaling.YARN ? 0.1 * Math.log(factor(length)) + 1 : 1;
  }

  @Override
  public boolean attendsByDistance() {
    return false;
  }

  @Override
  public boolean keepsResults(long length) {
    return factor(length) == factor(length + 1);
  }

  /** The scale s. */
  private double factor(long length) {
    return Math.max(1, (double) length / trainLength);
  }
}
