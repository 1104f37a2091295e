package org.lengthwise.model;

import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.lengthwise.positional.PositionalParameter.BiasTable;
import org.lengthwise.positional.PositionalParameter.Bounds;
import org.lengthwise.positional.PositionalParameter.Initial;

/**
 * One tensor of a model.
 *
 * @param name its name in a checkpoint
 * @param initial the distribution of its initial values
 * @param bounds the interval that its values are clamped to after every step
 * @param table its layout, if it is a positional scheme's table of biases
 * @param isPositional whether it belongs to the positional scheme
 * @param rate a factor on the learning rate, which a formula scheme may state; 1 for all others
 */
public record ParameterSpec(
    String name,
    List<Integer> shape,
    Initial initial,
    boolean decays,
    Bounds bounds,
    Optional<BiasTable> table,
    boolean isPositional,
    double rate) {

  /** Copies the shape. */
  public ParameterSpec {
    shape = List.copyOf(shape);
  }

  /**
   * {@return whether {@code optimizer.positional_rate} multiplies the learning rate: true for a
   * table of biases that {@linkplain BiasTable#startsFlat starts flat}}
   */
  public boolean startsFlat() {
    return table.isPresent() && table.get().startsFlat();
  }

  /**
   * {@return how far the biases of each head lie apart; empty if the tensor is not a table of
   * biases}
   */
  public DoubleStream biasRanges(float[] numbers) {
    return table.stream()
        .flatMapToDouble(
            found ->
                DoubleStream.of(
                    found.ranges(numbers, numbers.length / shape.get(found.entryAxis()))));
  }

  /** {@return the number of elements} */
  public long size() {
    return shape.stream().mapToLong(Integer::longValue).reduce(1, Math::multiplyExact);
  }
}
