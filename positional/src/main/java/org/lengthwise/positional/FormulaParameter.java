package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.error.Count;
import org.lengthwise.positional.PositionalParameter.BiasTable;
import org.lengthwise.positional.PositionalParameter.Bounds;
import org.lengthwise.positional.PositionalParameter.Scope;

/**
 * A learnable number of a formula, or a table of numbers.
 *
 * @param per what has a value of its own: nothing ({@code shared}), each head, each layer, or each
 *     head of each layer
 * @param size S, the size of a table; absent for one number
 * @param initial the first values: a number for all, or a distribution
 * @param min the smallest value; absent if there is none
 * @param max the largest value; absent if there is none
 * @param rate a factor on the learning rate
 */
public record FormulaParameter(
    @JsonFormat(
            with = {
              JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY,
              JsonFormat.Feature.WRITE_SINGLE_ELEM_ARRAYS_UNWRAPPED
            })
        List<Per> per,
    @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Unit("entries")
        @Nullable Integer size,
    FirstValues initial,
    @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Nullable Double min,
    @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Nullable Double max,
    @AbsentMeans("1.0") double rate) {

  private static final int MOST_ENTRIES = 1_000_000;

  public enum Per {
    /** Nothing: the whole model has one value. */
    SHARED,
    /** Each head. */
    HEAD,
    /** Each distinct block. */
    LAYER
  }

  public FormulaParameter {
    EnumSet<Per> distinct = EnumSet.noneOf(Per.class);
    distinct.addAll(per);
    Checks.require(
        !per.isEmpty()
            && distinct.size() == per.size()
            && (per.size() == 1 || !distinct.contains(Per.SHARED)),
        "per",
        "shared, head, layer or [layer, head]",
        per.toString().toLowerCase(java.util.Locale.ROOT));
    per = List.copyOf(distinct);
    if (size != null) {
      Checks.require(
          size >= 1 && size <= MOST_ENTRIES,
          "size",
          "1 to %s entries".formatted(Count.of(MOST_ENTRIES)),
          size);
    }
    Checks.above("rate", rate, 0);
    if (min != null) {
      Checks.finite("min", min);
    }
    if (max != null) {
      Checks.require(
          Double.isFinite(max) && (min == null || min <= max),
          "max",
          "a finite number of at least min",
          min == null ? max : "%s, with min %s".formatted(max, min));
    }
  }

  /**
   * The first values: one of three distributions.
   *
   * @param constant one value for all numbers
   * @param normal the deviation of normal values with mean 0
   * @param uniform the ends of an interval, the upper one excluded
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record FirstValues(
      @AbsentMeans("null") @Nullable Double constant,
      @AbsentMeans("null") @Nullable Double normal,
      @AbsentMeans("null") @Nullable List<Double> uniform) {

    @JsonCreator(mode = JsonCreator.Mode.PROPERTIES)
    public FirstValues {
      int given = (constant == null ? 0 : 1) + (normal == null ? 0 : 1) + (uniform == null ? 0 : 1);
      Checks.require(
          given == 1, "", "a number, or one of the keys constant, normal, uniform", given);
      if (constant != null) {
        Checks.finite("constant", constant);
      }
      if (normal != null) {
        Checks.above("normal", normal, 0);
      }
      if (uniform != null) {
        uniform = List.copyOf(uniform);
        Checks.require(
            uniform.size() == 2
                && uniform.stream().allMatch(Double::isFinite)
                && uniform.get(0) < uniform.get(1),
            "uniform",
            "two numbers, the lower end and the upper end",
            uniform);
      }
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static FirstValues of(double value) {
      return new FirstValues(value, null, null);
    }

    PositionalParameter.Initial initial() {
      if (constant != null) {
        return new PositionalParameter.Initial.Constant(constant);
      } else if (normal != null) {
        return new PositionalParameter.Initial.Normal(normal);
      } else if (uniform != null) {
        return new PositionalParameter.Initial.Uniform(uniform.get(0), uniform.get(1));
      }
      throw new AssertionError(this);
    }

    /** A value that may occur: with -1 a low one, with 0 one of the middle, with 1 a high one. */
    double typical(int place) {
      if (constant != null) {
        return constant;
      } else if (normal != null) {
        return 2 * place * normal;
      } else if (uniform != null) {
        double middle = (uniform.get(0) + uniform.get(1)) / 2;
        return middle + place * 0.49 * (uniform.get(1) - uniform.get(0));
      }
      throw new AssertionError(this);
    }
  }

  /** {@return whether the tensor has an axis of heads} */
  @JsonIgnore
  public boolean isPerHead() {
    return per.contains(Per.HEAD);
  }

  boolean isPerLayer() {
    return per.contains(Per.LAYER);
  }

  Bounds bounds() {
    return min == null && max == null
        ? Bounds.NONE
        : new Bounds(
            min == null ? Double.NEGATIVE_INFINITY : min,
            max == null ? Double.POSITIVE_INFINITY : max);
  }

  /**
   * The tensor: [H] or [1] numbers, or [H, S] or [S] of a table.
   *
   * @param factor what a table's entries are multiplied by before they are added to the bias, or
   *     another number if they are not
   */
  PositionalParameter tensor(String name, int heads, double factor) {
    int copies = isPerHead() ? heads : 1;
    return new PositionalParameter(
            name,
            size == null ? List.of(copies) : isPerHead() ? List.of(copies, size) : List.of(size),
            isPerLayer() ? Scope.BLOCK : Scope.MODEL,
            initial.initial(),
            bounds(),
            startsFlat(factor)
                ? Optional.of(new BiasTable(isPerHead() ? 1 : 0, factor))
                : Optional.empty())
        .withRate(rate);
  }

  /** Whether the biases of a table begin within one nat. */
  private boolean startsFlat(double factor) {
    return size != null && factor > 0 && factor * (initial.typical(1) - initial.typical(-1)) < 1;
  }
}
