package org.lengthwise.positional;

import java.util.Optional;
import org.lengthwise.config.Checks;

/**
 * RoPE at test time. Up to the training length it is the RoPE of the model. Beyond, a scaling takes
 * the place of the model's own, with s = T / o, where o = T_tr for a model without a scaling, and
 * else the {@linkplain RopeScaling#original positions before it}:
 *
 * <ul>
 *   <li>interpolation: {@link RopeScaling.Linear} with factor s;
 *   <li>ntk: {@link RopeScaling.Ntk} with factor s;
 *   <li>yarn: {@link RopeScaling.Yarn} with factor s and o. Queries and keys are multiplied by 0.1
 *       ln s + 1, the root of the inverse temperature.
 * </ul>
 *
 * <p>Blocks whose windows or chunks are no longer than T_tr have no distance beyond it, and rotate
 * as in training.
 *
 * <p>s depends on the length of the sequence that is read. So beyond T_tr the result of a prefix is
 * not a prefix of the result. Published results of interpolation and YaRN usually include
 * fine-tuning; here the weights are not changed.
 *
 * <p>Source: the papers of these scalings. The choice of s by the length of the sequence is the
 * "dynamic scaling" of Peng et al., 2023.
 *
 * @param rope the scheme that the model was trained with
 * @param scaling any scaling except {@link PositionScaling#NONE}; with a fixed factor it takes the
 *     place of the model's own at every length, with this s and o = T_tr
 * @param trainLength T_tr, at least 1
 */
public record ScaledRope(Rope rope, PositionScaling scaling, int trainLength) implements Rotary {

  public ScaledRope {
    Checks.require(
        !scaling.equals(PositionScaling.NONE), "scaling", "a scaling other than none", "none");
    Checks.atLeast("training length", trainLength, 1);
  }

  @Override
  public String label() {
    return rope.label() + "-" + scaling.label();
  }

  @Override
  public void requireShape(int heads, int headWidth, int width) {
    rope.requireShape(heads, headWidth, width);
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
    if (!scaling.dependsOnLength()) {
      return rope.scaled(scaling.kind(), scaling.factor(), trainLength);
    }
    return length <= trainLength ? rope : rope.extended(scaling.kind(), length, trainLength);
  }

  @Override
  public Rotary inBlock(int block) {
    return rope.isWithin(trainLength, block) ? rope : this;
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
  public LengthUse lengths() {
    return new LengthUse(
        Long.MAX_VALUE, this::keepsResults, at(trainLength + 1L).lengths().countsLastToken());
  }

  private boolean keepsResults(long length) {
    Rope now = at(length);
    return now.equals(at(length + 1))
        && now.lengths().and(rope.lengths()).keepsResults().test(length);
  }
}
