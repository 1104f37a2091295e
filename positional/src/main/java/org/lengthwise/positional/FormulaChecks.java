package org.lengthwise.positional;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.Checks;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.error.Nearest;
import org.lengthwise.positional.formula.Evaluation;
import org.lengthwise.positional.formula.Expression;
import org.lengthwise.positional.formula.FormulaText;
import org.lengthwise.positional.formula.Variable;

/** The checks of a formula: its names when it is read, and its values before it is used. */
final class FormulaChecks {
  private static final int CHECKED_QUERIES = 64;
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z_0-9]*");

  private FormulaChecks() {}

  static void requireNames(
      FormulaText bias, @Nullable FormulaText visible, Map<String, FormulaParameter> parameters) {
    for (String name : parameters.keySet()) {
      boolean isFree =
          NAME.matcher(name).matches() && variables().noneMatch(name::equals) && !isWord(name);
      Checks.require(
          isFree,
          "parameters." + name,
          "a name of letters, digits and '_' that no variable or function has",
          "`" + name + "`");
    }
    requireKnown("bias", bias, parameters);
    if (visible != null) {
      requireKnown("visible", visible, parameters);
      Checks.require(
          visible.tree().parameters().isEmpty(),
          "visible",
          "a condition without parameters",
          "the parameter " + String.join(", ", visible.tree().parameters()));
    }
    for (String name : parameters.keySet()) {
      Checks.require(
          bias.tree().parameters().contains(name),
          "parameters." + name,
          "a parameter that `bias` uses",
          "`%s`, which it does not use".formatted(name));
    }
  }

  private static boolean isWord(String name) {
    return List.of("and", "or", "not", "if", "at", "sum").contains(name);
  }

  private static Stream<String> variables() {
    return Arrays.stream(Variable.values()).map(Variable::symbol);
  }

  private static void requireKnown(
      String key, FormulaText formula, Map<String, FormulaParameter> parameters) {
    List<String> known = Stream.concat(variables(), parameters.keySet().stream()).toList();
    formula
        .tree()
        .nodes()
        .forEach(
            node -> {
              if (node instanceof Expression.Parameter parameter) {
                String name = parameter.name();
                requireParameter(key, name, formula, known, parameters);
                Checks.require(
                    Objects.requireNonNull(parameters.get(name)).size() == null,
                    key,
                    "at(%s, index) at column %s".formatted(name, formula.columns().get(name)),
                    "`%s`, which has a size".formatted(name));
              } else if (node instanceof Expression.Entry entry) {
                String name = entry.table();
                requireParameter(key, name, formula, known, parameters);
                Checks.require(
                    Objects.requireNonNull(parameters.get(name)).size() != null,
                    key,
                    "a parameter with a size at column %s".formatted(formula.columns().get(name)),
                    "`%s`, which has none".formatted(name));
              }
            });
  }

  private static void requireParameter(
      String key,
      String name,
      FormulaText formula,
      List<String> known,
      Map<String, FormulaParameter> parameters) {
    Checks.require(
        parameters.containsKey(name),
        key,
        "one of the names %s at column %s"
            .formatted(String.join(", ", known), formula.columns().get(name)),
        "`%s`%s".formatted(name, Nearest.suggestion(name, known)));
  }

  /** Requires finite biases up to a length with low, middle and high first values. */
  static void requireFiniteAtFirst(Formula scheme, int heads, int width, int layers, long length) {
    for (int place = -1; place <= 1; place++) {
      Map<String, double[]> numbers = new HashMap<>();
      for (PositionalParameter parameter : scheme.parameters(heads, width)) {
        FormulaParameter described =
            Objects.requireNonNull(scheme.parameters().get(parameter.name()));
        double[] values = new double[parameter.size()];
        Arrays.fill(values, described.initial().typical(place));
        numbers.put(parameter.name(), values);
      }
      int blocks = scheme.uses(Variable.LAYER) ? layers : 1;
      for (int block = 0; block < blocks; block++) {
        requireFinite(
            scheme,
            new PositionalValues(heads, width / heads, block, scheme.trainLength(), numbers),
            length);
      }
    }
  }

  /** Requires finite biases and visible own positions up to a length. */
  static void requireFinite(Formula scheme, PositionalValues values, long length) {
    PositionalValues at = values.ofLength(length);
    int heads = scheme.dependsOnHead() ? values.heads() : 1;
    boolean isByQuery = scheme.dependsOnPositions();
    for (int head = 0; head < heads; head++) {
      if (isByQuery) {
        long queries = Math.min(CHECKED_QUERIES, length);
        for (int i = 0; i < queries; i++) {
          long query = queries == 1 ? 0 : i * (length - 1) / (queries - 1);
          for (long distance = 0; distance <= query; distance++) {
            requireFinite(scheme, at, head, query, distance);
          }
        }
      } else {
        for (long distance = 0; distance < length; distance++) {
          requireFinite(scheme, at, head, distance, distance);
        }
      }
    }
  }

  private static void requireFinite(
      Formula scheme, PositionalValues values, int head, long query, long distance) {
    Evaluation evaluation = scheme.at(values, head, query, distance);
    boolean isSeen = scheme.visible() == null || evaluation.of(scheme.visible().tree()) != 0;
    if (!isSeen && distance == 0) {
      throw new InvalidValueException(
          "visible",
          "a condition that is true at a query's own position",
          "0 at " + scheme.place(query, distance, head));
    }
    double value = isSeen ? evaluation.of(scheme.bias().tree()) : 0;
    if (!Float.isFinite((float) value)) { // as the kernels compute it
      throw new InvalidValueException(
          "bias", "a finite float32", value + " at " + scheme.place(query, distance, head));
    }
    if (evaluation.infinite() != 0) {
      throw new InvalidValueException(
          "bias",
          "a finite float32 in each part with parameters, for its gradient",
          "a part of %s at %s"
              .formatted(evaluation.infinite(), scheme.place(query, distance, head)));
    }
  }
}
