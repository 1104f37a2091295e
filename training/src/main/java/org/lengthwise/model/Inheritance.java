package org.lengthwise.model;

import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;
import org.lengthwise.config.Checks;
import org.lengthwise.positional.PositionalParameter;
import org.lengthwise.positional.PositionalScheme;

/**
 * The tensors of a model that another model of the same shape, perhaps with another positional
 * scheme, starts from. A block takes the tensors of its scheme if it had this scheme before.
 *
 * @param taken the tensor of the source by the name of the tensor that takes its numbers
 * @param longer the tensors among them that have further rows, of more positions, at their initial
 *     values
 * @param neutral the value of the numbers of other tensors with which they change nothing, by name;
 *     tensors in neither of the two start at their initial values
 */
public record Inheritance(
    Map<String, String> taken, Set<String> longer, Map<String, Double> neutral) {
  public Inheritance {
    taken = Collections.unmodifiableMap(new LinkedHashMap<>(taken));
    longer = Set.copyOf(longer);
    neutral = Collections.unmodifiableMap(new LinkedHashMap<>(neutral));
  }

  /**
   * {@return what a model inherits from a source of the same shape}
   *
   * @throws IllegalArgumentException if a scheme has the same tensor in another shape, or if a
   *     block gets, loses or changes a linear recurrence
   */
  public static Inheritance of(ModelConfig model, ModelConfig source) {
    IntStream.range(0, model.layers()).forEach(k -> requireSameRows(model, source, k));
    Map<String, String> taken = new LinkedHashMap<>();
    Set<String> longer = new HashSet<>();
    Map<String, Double> neutral = new LinkedHashMap<>();
    ParameterLayout.of(model).stream()
        .filter(spec -> !spec.isPositional())
        .forEach(spec -> taken.put(spec.name(), spec.name()));
    for (PositionalParameter parameter : parameters(model)) {
      IntStream.range(0, model.layers())
          .filter(parameter.blocks()::contain)
          .forEach(
              k -> {
                String name = ParameterLayout.positionalName(parameter, k);
                OptionalDouble start = scheme(model, k).neutral(parameter.name());
                sourceOf(parameter, model, source, k)
                    .ifPresent(
                        from -> {
                          taken.putIfAbsent(name, ParameterLayout.positionalName(from, k));
                          if (parameter.size() > from.size()) {
                            longer.add(name);
                          }
                        });
                start.ifPresent(value -> neutral.putIfAbsent(name, value));
              });
    }
    neutral.keySet().removeAll(taken.keySet());
    return new Inheritance(taken, longer, neutral);
  }

  private static void requireSameRows(ModelConfig model, ModelConfig source, int k) {
    String label = scheme(model, k).untemperedLabel();
    String before = scheme(source, k).untemperedLabel();
    Checks.require(
        (model.linear(k).isEmpty() && source.linear(k).isEmpty()) || label.equals(before),
        "position",
        "%s in block %s, as in the source, because only the same linear recurrence continues one"
            .formatted(before, k),
        label);
  }

  private static Optional<PositionalParameter> sourceOf(
      PositionalParameter parameter, ModelConfig model, ModelConfig source, int k) {
    String before = scheme(source, k).untemperedLabel();
    return parameters(source).stream()
        .filter(other -> before.equals(scheme(model, k).untemperedLabel()))
        .filter(other -> other.blocks().contain(k))
        .filter(other -> other.name().equals(parameter.name()))
        .findFirst()
        .map(
            other -> {
              requireShape(parameter, other);
              return other;
            });
  }

  /** A table of positions, which stands before the blocks, may have more rows than before. */
  private static void requireShape(PositionalParameter parameter, PositionalParameter before) {
    boolean isTable = parameter.scope() == PositionalParameter.Scope.EMBEDDING;
    Checks.require(
        parameter.shape().equals(before.shape()) || (isTable && parameter.size() > before.size()),
        "position",
        "a tensor %s of the shape %s, as in the source%s"
            .formatted(before.name(), before.shape(), isTable ? ", or of more rows" : ""),
        parameter.shape());
  }

  private static PositionalScheme scheme(ModelConfig model, int block) {
    return model.position().inBlock(block);
  }

  private static List<PositionalParameter> parameters(ModelConfig model) {
    return ParameterLayout.positional(model);
  }
}
