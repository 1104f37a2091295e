package org.lengthwise.positional;

import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;

/**
 * One learnable tensor of a positional scheme.
 *
 * @param name the short name, such as {@code r}; the model adds the scope to it
 * @param shape the sizes of its axes
 * @param scope whether all blocks share it or each has its own
 * @param initial the distribution of its first values
 * @param bounds the interval in which its values are kept, in training and before every use
 * @param table its layout, if its numbers are biases that are looked up
 * @param rate a factor on the learning rate, above 0
 * @param blocks the blocks that use it
 */
public record PositionalParameter(
    String name,
    List<Integer> shape,
    Scope scope,
    Initial initial,
    Bounds bounds,
    Optional<BiasTable> table,
    double rate,
    Blocks blocks) {

  /**
   * The blocks that use a tensor: those k with k mod n in a list.
   *
   * @param period n
   * @param prefix what stands before the short name of a tensor that these blocks share
   */
  public record Blocks(List<Integer> entries, int period, String prefix) {
    public static final Blocks ALL = new Blocks(List.of(0), 1, "");

    public Blocks {
      entries = List.copyOf(entries);
    }

    public boolean contain(int block) {
      return entries.contains(block % period);
    }

    /** {@return how many of K blocks use the tensor} */
    public int among(int layers) {
      int rest = layers % period;
      return layers / period * entries.size()
          + (int) entries.stream().filter(entry -> entry < rest).count();
    }
  }

  public enum Scope {
    /** One tensor, shared by every block. */
    MODEL,
    /** One tensor for each block. */
    BLOCK,
    /** One tensor before the first block, like the token embedding. */
    EMBEDDING
  }

  /**
   * The closed interval in which values are kept.
   *
   * @param low the smallest value, or negative infinity
   * @param high the largest value, or infinity
   */
  public record Bounds(double low, double high) {
    public static final Bounds NONE =
        new Bounds(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);

    public double clamp(double value) {
      return Math.min(high, Math.max(low, value));
    }
  }

  /**
   * A learnable table of biases, with axes of heads and of entries, or of entries only if the heads
   * share it. A score adds one entry of its head, times a factor, so the entries of a head compete
   * in a softmax.
   *
   * @param entryAxis the axis of the entries, 0 or 1; another axis is that of the heads
   * @param factor what an entry is multiplied by before it is added to a score, above 0
   */
  public record BiasTable(int entryAxis, double factor) {
    /**
     * {@return whether all biases of the table begin close to 0 and move only as fast as Adam moves
     * its numbers: the factor is at most 1} The learning rate of such a table is multiplied by
     * {@code optimizer.positional_rate}. A larger factor moves a bias faster already.
     */
    public boolean startsFlat() {
      return factor <= 1;
    }

    /**
     * {@return for each of H heads the largest bias minus the smallest one, in nats of a score} A
     * range close to 0 means that the head does not use the table.
     */
    public double[] ranges(float[] numbers, int heads) {
      int numEntries = numbers.length / heads;
      double[] ranges = new double[heads];
      for (int head = 0; head < heads; head++) {
        double lowest = Double.POSITIVE_INFINITY;
        double highest = Double.NEGATIVE_INFINITY;
        for (int entry = 0; entry < numEntries; entry++) {
          int index = entryAxis == 0 ? entry * heads + head : head * numEntries + entry;
          lowest = Math.min(lowest, factor * numbers[index]);
          highest = Math.max(highest, factor * numbers[index]);
        }
        ranges[head] = highest - lowest;
      }
      return ranges;
    }
  }

  public sealed interface Initial {

    record Constant(double value) implements Initial {}

    record Normal(double deviation) implements Initial {}

    /**
     * Independent normal values with mean 0, drawn again beyond two deviations. Their standard
     * deviation is 0.88 of the given one.
     *
     * @param deviation the standard deviation before the truncation
     */
    record TruncatedNormal(double deviation) implements Initial {}

    record Uniform(double low, double high) implements Initial {}

    /** As a matrix of a block, which also has weight decay. */
    record Matrix() implements Initial {}

    /** A function of a uniform number. */
    record Drawn(double low, double high, By by) implements Initial {}

    /** The functions of {@link Drawn}. */
    enum By implements DoubleUnaryOperator {
      /** ln x. */
      LOG,
      /** The number whose softplus is e<sup>x</sup>. */
      STEP,
      /** ln(-ln(x) / 2), so that x is |lambda|<sup>2</sup> of exp(-exp(nu)). */
      LOG_RATE;

      @Override
      public double applyAsDouble(double x) {
        return switch (this) {
          case LOG -> Math.log(x);
          case STEP -> Math.log(Math.expm1(Math.exp(x)));
          case LOG_RATE -> Math.log(-Math.log(x) / 2);
        };
      }
    }

    record Numbers(List<Double> values) implements Initial {
      public Numbers {
        values = List.copyOf(values);
      }
    }
  }

  public PositionalParameter(
      String name, List<Integer> shape, Scope scope, Initial initial, Bounds bounds) {
    this(name, shape, scope, initial, bounds, Optional.empty());
  }

  public PositionalParameter(
      String name,
      List<Integer> shape,
      Scope scope,
      Initial initial,
      Bounds bounds,
      Optional<BiasTable> table) {
    this(name, shape, scope, initial, bounds, table, 1, Blocks.ALL);
  }

  /** A tensor of each block, without bounds. */
  static PositionalParameter ofBlock(String name, List<Integer> shape, Initial initial) {
    return new PositionalParameter(name, shape, Scope.BLOCK, initial, Bounds.NONE);
  }

  PositionalParameter withRate(double factor) {
    return new PositionalParameter(name, shape, scope, initial, bounds, table, factor, blocks);
  }

  PositionalParameter in(Blocks some) {
    return new PositionalParameter(name, shape, scope, initial, bounds, table, rate, some);
  }

  public PositionalParameter {
    shape = List.copyOf(shape);
    if (shape.isEmpty() || shape.stream().anyMatch(size -> size < 1)) {
      throw new IllegalArgumentException(
          "shape of " + name + ": expected positive sizes, found " + shape);
    }
  }

  public int size() {
    return shape.stream().reduce(1, Math::multiplyExact);
  }
}
