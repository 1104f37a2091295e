package org.lengthwise.positional;

import java.util.List;

/**
 * T5's relative bias in its causal form: a learned number for each of 32 buckets of distance.
 *
 * <p>Distances below 16 have a bucket each; from there on buckets widen logarithmically, and
 * everything from 113 on shares the last one. The table [32, H] is shared by all blocks, starts
 * from N(0, 0.02) and is added as it is.
 *
 * <p>Source: Raffel et al., "Exploring the Limits of Transfer Learning with a Unified Text-to-Text
 * Transformer", JMLR 2020, section 2.1.
 */
public record T5() implements PositionalScheme {
  static final String NAME = "t5";

  /** The number of buckets. */
  public static final int NUM_BUCKETS = 32;

  private static final int NUM_EXACT = 16;
  private static final int MAX_DISTANCE = 128;

  @Override
  public String label() {
    return NAME;
  }

  @Override
  public List<PositionalParameter> parameters(int heads, int width) {
    return List.of(
        new PositionalParameter(
            "bias",
            List.of(NUM_BUCKETS, heads),
            PositionalParameter.Scope.MODEL,
            new Initial.Normal(0.02),
            PositionalParameter.Bounds.NONE));
  }

  @Override
  public double bias(PositionalValues values, int head, int level, long query, long distance) {
    return values.at("bias", bucket(distance) * values.heads() + head);
  }

  /**
   * The bucket of a distance.
   *
   * @param distance delta, at least 0
   * @return 0..31
   */
  public static int bucket(long distance) {
    if (distance < NUM_EXACT) {
      return (int) distance;
    }
    double position =
        Math.log((double) distance / NUM_EXACT) / Math.log((double) MAX_DISTANCE / NUM_EXACT);
    long bucket = NUM_EXACT + (long) Math.floor(position * (NUM_BUCKETS - NUM_EXACT));
    return (int) Math.min(NUM_BUCKETS - 1, bucket);
  }
}
