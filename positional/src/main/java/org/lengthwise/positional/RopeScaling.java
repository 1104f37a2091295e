package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;

/**
 * A change of RoPE's frequencies that belongs to a model, in training and in every pass. Published
 * models state theirs. At test time a {@link PositionScaling} takes its place.
 *
 * <p>With f = base<sup>-2i/R</sup>, the frequency of pair i of R rotated numbers, a scaling gives
 * the number that f is multiplied by. T is the number of tokens that one pass reads.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface RopeScaling {
  static RopeScaling none() {
    return new None();
  }

  /**
   * {@return the number by which the frequency of a pair is multiplied in a pass over T positions}
   */
  double scale(Pair pair, long length);

  /** {@return the factor a by which the rotated numbers of queries and keys are multiplied} */
  default double stretch() {
    return 1;
  }

  /** {@return whether frequencies depend on T} */
  default boolean dependsOnLength() {
    return false;
  }

  /** {@return whether a pass over T + 1 positions has the frequencies of a pass over T} */
  default boolean keepsResults(long length) {
    return true;
  }

  /**
   * {@return o, the positions of training before a model had this scaling} Linear and NTK divide
   * T_tr by their factor; other scalings state o.
   *
   * @param trainLength T_tr of the model with this scaling
   */
  default int original(int trainLength) {
    return trainLength;
  }

  /** Requires that the scaling fits the R/2 pairs of a head. */
  default void requirePairs(int pairs) {}

  /** The pair i of R rotated numbers, i from 0 to R/2 - 1. */
  record Pair(int index, int rotated, double base) {
    /** {@return f in radians, without scaling} */
    public double frequency() {
      return Math.pow(base, -2.0 * index / rotated);
    }
  }

  /** Frequencies as RoPE defines them. */
  @JsonTypeName("none")
  record None() implements RopeScaling {
    @Override
    public double scale(Pair pair, long length) {
      return 1;
    }
  }

  /**
   * Linear interpolation: all pairs are slowed, to f / factor.
   *
   * <p>Source: Chen et al., "Extending Context Window of Large Language Models via Positional
   * Interpolation", 2023.
   *
   * @param factor the number by which frequencies are divided
   */
  @JsonTypeName("linear")
  record Linear(double factor) implements RopeScaling {
    public Linear {
      Checks.above("factor", factor, 0);
    }

    @Override
    public double scale(Pair pair, long length) {
      return 1 / factor;
    }

    @Override
    public int original(int trainLength) {
      return before(trainLength, factor);
    }
  }

  /**
   * NTK-aware scaling: f is multiplied by factor<sup>-2i/(R-2)</sup>. This equals a base of base
   * factor<sup>R/(R-2)</sup>: the fastest pair is not changed, the slowest is divided by the
   * factor.
   *
   * <p>Source: "NTK-aware" RoPE, 2023; Peng et al., 2023, section 3.1.
   *
   * @param factor the number by which the slowest frequency is divided
   */
  @JsonTypeName("ntk")
  record Ntk(double factor) implements RopeScaling {
    public Ntk {
      Checks.above("factor", factor, 0);
    }

    /** The fastest pair keeps its frequency, also where it is the only pair. */
    @Override
    public double scale(Pair pair, long length) {
      return pair.index() == 0 ? 1 : Math.pow(factor, -2.0 * pair.index() / (pair.rotated() - 2));
    }

    @Override
    public int original(int trainLength) {
      return before(trainLength, factor);
    }
  }

  /**
   * Dynamic NTK: beyond a limit, the base grows with T. It is {@link Ntk} with the factor s =
   * factor T / limit - (factor - 1), which is 1 up to the limit.
   *
   * <p>Source: "Dynamic NTK" of the transformers library, 2023.
   *
   * @param factor the growth of s with T
   * @param limit the number of positions up to which frequencies are not changed
   */
  @JsonTypeName("dynamic")
  record Dynamic(double factor, @Unit("positions") int limit) implements RopeScaling {
    public Dynamic {
      Checks.above("factor", factor, 0);
      Checks.atLeast("limit", limit, 1);
    }

    @Override
    public double scale(Pair pair, long length) {
      double s = factor * Math.max(length, limit) / limit - (factor - 1);
      return new Ntk(s).scale(pair, length);
    }

    @Override
    public boolean dependsOnLength() {
      return true;
    }

    @Override
    public boolean keepsResults(long length) {
      return length < limit;
    }

    @Override
    public int original(int trainLength) {
      return limit;
    }
  }

  /**
   * YaRN: slow pairs are slowed, fast pairs are not, and rotated numbers have a factor.
   *
   * <p>The frequency is (1 - g) f + g f / factor, where g rises linearly with the index i, from 0
   * at pair low to 1 at pair high. The pair of n rotations within o positions has the index p(n) =
   * R ln(o / (2 pi n)) / (2 ln base); low is p(betaFast) rounded down, high is p(betaSlow) rounded
   * up, and both are kept from 0 to R - 1.
   *
   * <p>This is YaRN as its authors released it and as other implementations run it. The text of the
   * paper has another g, which is linear in the number of rotations.
   *
   * <p>Source: Peng, Quesnelle, Fan and Shippole, "YaRN: Efficient Context Window Extension of
   * Large Language Models", 2023, section 3.
   *
   * @param factor the number by which frequencies are divided
   * @param original o, the positions of training before the scaling
   * @param betaFast the rotations of the last pair that is not changed
   * @param betaSlow the rotations of the first pair that is divided by the factor
   * @param attentionFactor a, the factor of rotated numbers
   * @param truncate whether low and high are rounded
   */
  @JsonTypeName("yarn")
  record Yarn(
      double factor,
      @Unit("positions") int original,
      @AbsentMeans("32.0") double betaFast,
      @AbsentMeans("1.0") double betaSlow,
      double attentionFactor,
      @AbsentMeans("true") boolean truncate)
      implements RopeScaling {
    /** If low is high. */
    private static final double SMALLEST_WIDTH = 0.001;

    public Yarn {
      Checks.above("factor", factor, 0);
      Checks.atLeast("original", original, 1);
      Checks.above("beta_slow", betaSlow, 0);
      Checks.require(
          betaFast >= betaSlow && Double.isFinite(betaFast),
          "beta_fast",
          "a number of at least beta_slow",
          betaFast);
      Checks.above("attention_factor", attentionFactor, 0);
    }

    /** YaRN with the numbers of the paper: 32 and 1 rotations, and a = 0.1 ln factor + 1. */
    public Yarn(double factor, int original) {
      this(factor, original, 32, 1, attentionFactor(factor, 1), true);
    }

    /** {@return 0.1 scale ln factor + 1, the a of the paper if the scale is 1} */
    public static double attentionFactor(double factor, double scale) {
      return 0.1 * scale * Math.log(factor) + 1;
    }

    @Override
    public double scale(Pair pair, long length) {
      double low = index(betaFast, pair);
      double high = index(betaSlow, pair);
      if (truncate) {
        low = Math.floor(low);
        high = Math.ceil(high);
      }
      low = within(0, low, pair.rotated() - 1.0);
      high = within(0, high, pair.rotated() - 1.0);
      double width = low == high ? SMALLEST_WIDTH : high - low;
      double interpolated = within(0, (pair.index() - low) / width, 1);
      return 1 - interpolated + interpolated / factor;
    }

    /** p(n), not rounded. */
    private double index(double rotations, Pair pair) {
      return pair.rotated()
          * Math.log(original / (2 * Math.PI * rotations))
          / (2 * Math.log(pair.base()));
    }

    @Override
    public double stretch() {
      return attentionFactor;
    }

    @Override
    public int original(int trainLength) {
      return original;
    }
  }

  /**
   * Llama 3's scaling: pairs of few rotations within o positions are slowed, pairs of many are not.
   *
   * <p>The frequency is (1 - s) f / factor + s f, with s = (o f / 2 pi - lowFactor) / (highFactor -
   * lowFactor), kept from 0 to 1.
   *
   * <p>Source: Dubey et al., "The Llama 3 Herd of Models", 2024, and the code of its release 3.1.
   *
   * @param factor the number by which frequencies are divided
   * @param lowFactor the rotations up to which a pair is divided by the factor
   * @param highFactor the rotations from which a pair is not changed
   * @param original o, the positions of training before the scaling
   */
  @JsonTypeName("llama3")
  record Llama3(double factor, double lowFactor, double highFactor, @Unit("positions") int original)
      implements RopeScaling {
    public Llama3 {
      Checks.above("factor", factor, 0);
      Checks.above("low_factor", lowFactor, 0);
      Checks.require(
          highFactor > lowFactor && Double.isFinite(highFactor),
          "high_factor",
          "a number above low_factor",
          highFactor);
      Checks.atLeast("original", original, 1);
    }

    @Override
    public double scale(Pair pair, long length) {
      double rotations = original * pair.frequency() / (2 * Math.PI);
      double kept = within(0, (rotations - lowFactor) / (highFactor - lowFactor), 1);
      return (1 - kept) / factor + kept;
    }

    @Override
    public int original(int trainLength) {
      return original;
    }
  }

  /**
   * LongRoPE: each pair has a divisor of its own, one for passes up to o positions and another one
   * for longer passes.
   *
   * <p>Source: Ding et al., "LongRoPE: Extending LLM Context Window Beyond 2 Million Tokens", 2024.
   *
   * @param shortFactors the divisors where T is at most o, R/2 of them
   * @param longFactors the divisors where T exceeds o, R/2 of them
   * @param original o, the positions of training before the scaling
   * @param attentionFactor a, the factor of rotated numbers
   */
  @JsonTypeName("longrope")
  record LongRope(
      List<Double> shortFactors,
      List<Double> longFactors,
      @Unit("positions") int original,
      double attentionFactor)
      implements RopeScaling {
    public LongRope {
      shortFactors = List.copyOf(shortFactors);
      longFactors = List.copyOf(longFactors);
      shortFactors.forEach(factor -> Checks.above("short_factors", factor, 0));
      longFactors.forEach(factor -> Checks.above("long_factors", factor, 0));
      Checks.atLeast("original", original, 1);
      Checks.above("attention_factor", attentionFactor, 0);
    }

    @Override
    public double scale(Pair pair, long length) {
      return 1 / (length > original ? longFactors : shortFactors).get(pair.index());
    }

    @Override
    public double stretch() {
      return attentionFactor;
    }

    @Override
    public int original(int trainLength) {
      return original;
    }

    @Override
    public boolean dependsOnLength() {
      return true;
    }

    @Override
    public boolean keepsResults(long length) {
      return length != original;
    }

    @Override
    public void requirePairs(int pairs) {
      String expected = "a number for each of the %s rotated pairs of a head".formatted(pairs);
      Checks.require(
          shortFactors.size() == pairs,
          "position.scaling.short_factors",
          expected,
          shortFactors.size());
      Checks.require(
          longFactors.size() == pairs,
          "position.scaling.long_factors",
          expected,
          longFactors.size());
    }
  }

  private static int before(int trainLength, double factor) {
    return Math.max(1, (int) Math.rint(trainLength / factor));
  }

  private static double within(double low, double value, double high) {
    return Math.min(high, Math.max(low, value));
  }
}
