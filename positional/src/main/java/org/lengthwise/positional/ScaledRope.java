package org.lengthwise.positional;

import java.util.Optional;
import org.lengthwise.config.Checks;
import org.lengthwise.config.EnumName;

/**
 * RoPE at test time, with rotations scaled by s = max(1, T / T_tr). Up to the training length it
 * equals RoPE without scaling. Beyond, it replaces the scaling of the model:
 *
 * <ul>
 *   <li>interpolation: {@link RopeScaling.Linear} with factor s;
 *   <li>ntk: {@link RopeScaling.Ntk} with factor s;
 *   <li>yarn: {@link RopeScaling.Yarn} with factor s and o = T_tr. Queries and keys are multiplied
 *       by 0.1 ln s + 1, the root of the inverse temperature.
 * </ul>
 *
 * <p>s depends on the length of the sequence that is read. So beyond T_tr the result of a prefix is
 * not a prefix of the result. Published results of interpolation and YaRN usually include
 * fine-tuning; here the weights are not changed.
 *
 * <p>Source: the papers of these scalings. The choice of s by the length of the sequence is the
 * "dynamic scaling" of Peng et al., 2023.
 *
 * @param rope the scheme that the model was trained with
 * @param scaling any kind except {@link PositionScaling.Kind#NONE}
 * @param trainLength T_tr, at least 1
 */
public record ScaledRope(Rope rope, PositionScaling.Kind scaling, int trainLength)
    implements Rotary {

  /** Requires a scaling other than none, and T_tr >= 1. */
  public ScaledRope {
    Checks.require(
        scaling != PositionScaling.Kind.NONE, "scaling", "a scaling other than none", "none");
    Checks.atLeast("training length", trainLength, 1);
  }

  @Override
  public String label() {
    return rope.label() + "-" + EnumName.of(scaling);
  }

  @Override
  public void requireShape(int heads, int width) {
    rope.requireShape(heads, width);
  }

  @Override
  public double[] frequencies(int headWidth, long length) {
    return at(length).frequencies(headWidth, length);
  }

  @Override
  public double stretch(long length) {
    return at(length).stretch(length);
  }

  /** The scheme that computes the rotations of a sequence of T positions. */
  private Rope at(long length) {
    return rope.scaled(scaling, factor(length), trainLength);
  }

  @Override
  public Optional<LayerWindow> layerWindow() {
    return rope.layerWindow();
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
