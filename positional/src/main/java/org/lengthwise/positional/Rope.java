package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;

/**
 * RoPE: rotary position embedding. Pair i of a query or key at position m is rotated by m
 * base<sup>-2i/R</sup>, where R is the number of rotated numbers of a head. The scheme has no
 * learnable numbers. It adds no bias, but may have a window.
 *
 * <p>A model with this scheme reads sequences of any length, but the angles of distances beyond the
 * training length are new to it. {@link #scaled} changes these angles at test time.
 *
 * <p>Source: Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2021,
 * section 3.2, with base 10,000. GPT-NeoX rotates a share of a head (Black et al., "GPT-NeoX-20B:
 * An Open-Source Autoregressive Language Model", 2022); Mistral 7B has a window (Jiang et al.,
 * 2023).
 *
 * @param base the base of the powers that give the frequencies
 * @param share R / D, the share of the numbers of each head that are rotated, the first ones
 * @param scaling the change of frequencies that belongs to the model
 * @param window the window of the latest positions; absent if queries see all earlier positions
 */
@JsonTypeName("rope")
public record Rope(
    double base,
    @AbsentMeans("1.0") double share,
    @AbsentMeans("{\"type\":\"none\"}") RopeScaling scaling,
    @AbsentMeans("null") @Nullable LayerWindow window)
    implements Rotary {
  /** How far R, a product of a decimal share, may be from a whole number. */
  private static final double ROUNDING = 1e-6;

  public Rope {
    Checks.above("base", base, 1);
    Checks.require(share > 0 && share <= 1, "share", "a number above 0 and at most 1", share);
  }

  public Rope(double base) {
    this(base, 1, RopeScaling.none(), null);
  }

  /** This scheme, trained at T_tr, with a scaling for a pass over T positions. */
  Rope extended(PositionScaling.Kind kind, long length, int trainLength) {
    int original = scaling.original(trainLength);
    return scaled(kind, Math.max(1, (double) length / original), original);
  }

  /** This scheme with another scaling of a factor. */
  Rope scaled(PositionScaling.Kind kind, double factor, int original) {
    RopeScaling other =
        switch (kind) {
          case NONE -> RopeScaling.none();
          case INTERPOLATION -> new RopeScaling.Linear(factor);
          case NTK -> new RopeScaling.Ntk(factor);
          case YARN -> new RopeScaling.Yarn(factor, original);
          case DYNAMIC -> new RopeScaling.Dynamic(factor, original);
        };
    return new Rope(base, share, other, window);
  }

  @Override
  public void requireShape(int heads, int headWidth, int width) {
    int rotated = rotated(headWidth);
    Checks.require(
        share < 1 || rotated % 2 == 0,
        "model.heads",
        "heads of an even width, because rope rotates pairs",
        "%s heads of width %s".formatted(heads, headWidth));
    Checks.require(
        Math.abs(share * headWidth - rotated) < ROUNDING && rotated >= 2 && rotated % 2 == 0,
        "position.share",
        "a share that makes an even number, at least 2, of the %s numbers of a head"
            .formatted(headWidth),
        "%s, which makes %s".formatted(share, share * headWidth));
    scaling.requirePairs(rotated / 2);
  }

  private int rotated(int headWidth) {
    return (int) Math.rint(share * headWidth);
  }

  @Override
  public double[] frequencies(int headWidth, long length) {
    int rotated = rotated(headWidth);
    return IntStream.range(0, rotated / 2)
        .mapToObj(i -> new RopeScaling.Pair(i, rotated, base))
        .mapToDouble(pair -> pair.frequency() * scaling.scale(pair, length))
        .toArray();
  }

  @Override
  public LengthUse lengths() {
    return new LengthUse(Long.MAX_VALUE, scaling::keepsResults, scaling.dependsOnLength());
  }

  @Override
  public double stretch(long length) {
    return scaling.stretch();
  }

  @Override
  public Optional<LayerWindow> layerWindow() {
    return Optional.ofNullable(window);
  }

  @Override
  public boolean attendsByDistance() {
    return !scaling.dependsOnLength() && reach().alignment() == 1;
  }

  /** Whether a block has a window that is no longer than T_tr. */
  boolean isWithin(int trainLength, int block) {
    return window != null && window.positions() <= trainLength && window.covers(block);
  }

  @Override
  public int original(int trainLength) {
    return scaling.original(trainLength);
  }

  /**
   * It takes the place of the own scaling. With a fixed factor in all blocks it becomes the own.
   */
  @Override
  public Optional<PositionalScheme> scaled(PositionScaling other, int trainLength) {
    if (isWithin(trainLength, 0)) {
      return Optional.empty();
    }
    return Optional.of(
        other.dependsOnLength() || isWithin(trainLength, Integer.MAX_VALUE)
            ? new ScaledRope(this, other, trainLength)
            : scaled(other.kind(), other.factor(), trainLength));
  }
}
