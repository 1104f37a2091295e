package org.lengthwise.positional;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.positional.PositionalParameter.BiasTable;
import org.lengthwise.positional.PositionalParameter.Initial;

/**
 * T5's relative bias in its causal form: a learned number for each of 32 buckets of distance.
 *
 * <p>Each distance below 16 has its own bucket. Beyond, buckets widen logarithmically, and all
 * distances from 113 on share the last bucket. All blocks share the table [32, H], and its first
 * values are N(0, 0.02).
 *
 * <p>T5 does not divide scores by sqrt(D), so the same table weighs more in T5 than beside the
 * scaled scores of this decoder. {@link Scale#SQRT_HEAD_WIDTH} makes up for it. KERPLE's authors
 * (Chi et al., NeurIPS 2022), GPT-NeoX and x-transformers use this factor.
 *
 * <p>Source: Raffel et al., "Exploring the Limits of Transfer Learning with a Unified Text-to-Text
 * Transformer", JMLR 2020, section 2.1.
 *
 * @param scale the factor of the table
 */
@JsonTypeName("t5")
public record T5(@AbsentMeans("\"one\"") Scale scale) implements DistanceBias {
  public static final int NUM_BUCKETS = 32;

  private static final int NUM_EXACT = 16;
  private static final int MAX_DISTANCE = 128;

  public enum Scale {
    /** The bias is added as it is. */
    ONE,
    /** The bias is multiplied by sqrt(D). */
    SQRT_HEAD_WIDTH;

    double factor(int headWidth) {
      return this == ONE ? 1 : Math.sqrt(headWidth);
    }
  }

  @Override
  public OptionalDouble neutral(String parameter) {
    return parameter.equals("bias") ? OptionalDouble.of(0) : OptionalDouble.empty();
  }

  @Override
  public List<PositionalParameter> parameters(int heads, int width) {
    return List.of(
        new PositionalParameter(
            "bias",
            List.of(NUM_BUCKETS, heads),
            PositionalParameter.Scope.MODEL,
            new Initial.Normal(0.02),
            PositionalParameter.Bounds.NONE,
            Optional.of(new BiasTable(0, scale.factor(width / heads)))));
  }

  @Override
  public double bias(PositionalValues values, int head, long distance) {
    return scale.factor(values.headWidth())
        * values.at("bias", bucket(distance) * values.heads() + head);
  }

  /**
   * A product with a matrix of 0 and the factor selects the buckets: each sum has one term, and its
   * gradient is a product too.
   */
  @Override
  public NDArray table(TableInputs inputs) {
    float factor = (float) scale.factor(inputs.headWidth());
    NDArray buckets_NT = inputs.fixed().of(owner -> buckets(owner, inputs.length(), factor));
    return inputs.parameter("bias").transpose().matMul(buckets_NT);
  }

  private static NDArray buckets(NDManager owner, int length, float factor) {
    float[] chosen = new float[NUM_BUCKETS * length];
    for (int distance = 0; distance < length; distance++) {
      chosen[bucket(distance) * length + distance] = factor;
    }
    return TableInputs.tensor(owner, chosen, NUM_BUCKETS, length);
  }

  /** {@return the bucket of a distance of at least 0, 0..31} */
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
