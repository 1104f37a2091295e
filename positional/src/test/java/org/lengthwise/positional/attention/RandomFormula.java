package org.lengthwise.positional.attention;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.lengthwise.positional.Formula;
import org.lengthwise.positional.FormulaParameter;
import org.lengthwise.positional.FormulaParameter.FirstValues;
import org.lengthwise.positional.FormulaParameter.Per;
import org.lengthwise.positional.Formulas;

/** Draws formulas from the grammar of formula schemes. Their biases may be infinite. */
final class RandomFormula {
  private static final int DEPTH = 4;
  private static final List<String> NUMBERS = List.of("0", "1", "2", "3.5", ".25", "1e-1");
  private static final List<String> CONSTANTS = List.of("0", "1", "H", "D / 4", "T_tr / 8", "5");
  private static final List<String> BY_DISTANCE =
      List.of("delta", "delta", "m - n", "T", "T_tr", "h", "H", "D", "layer");
  private static final List<String> SPREAD =
      List.of("cos(delta)", "log1p(delta)", "(delta > 2)", "delta / T_tr");
  private static final List<String> POSITIONS = List.of("m", "n");
  private static final List<String> ARITHMETIC = List.of("+", "-", "*", "/", "^");
  private static final List<String> LOGICAL =
      List.of("<", "<=", ">", ">=", "==", "!=", "and", "or");
  private static final List<String> OF_SEVERAL = List.of("min", "max", "and", "or");
  private static final List<String> OF_ONE =
      List.of(
          "abs", "floor", "ceil", "exp", "log", "log1p", "sqrt", "sin", "cos", "tanh", "sigmoid",
          "relu", "not");
  private static final List<List<Per>> SCOPES =
      List.of(
          List.of(Per.SHARED), List.of(Per.HEAD), List.of(Per.LAYER), List.of(Per.LAYER, Per.HEAD));

  private final Random random;
  private final List<String> variables = new ArrayList<>(BY_DISTANCE);
  private final Map<String, FormulaParameter> parameters = new LinkedHashMap<>();
  private final Deque<String> indices = new ArrayDeque<>();

  private RandomFormula(Random random) {
    this.random = random;
    if (random.nextInt(3) == 0) {
      variables.addAll(Collections.nCopies(3, POSITIONS).stream().flatMap(List::stream).toList());
    }
  }

  static Formula draw(Random random) {
    RandomFormula grammar = new RandomFormula(random);
    String bias = grammar.value(DEPTH, true);
    if (random.nextInt(4) > 0) { // a bias that is the same for all keys has no gradient
      bias = "(%s + %s) * %s".formatted(grammar.number(), bias, grammar.any(SPREAD));
    }
    return Formulas.of(bias, grammar.condition(), grammar.parameters);
  }

  private String any(List<String> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  private String value(int depth, boolean mayLearn) {
    if (depth == 0 || (depth < DEPTH && random.nextInt(6) == 0)) {
      return leaf(mayLearn);
    }
    return switch (random.nextInt(11)) {
      case 0, 1, 2 -> infix(ARITHMETIC, depth, mayLearn);
      case 3 -> infix(LOGICAL, depth, mayLearn);
      case 4 -> "(-" + value(depth - 1, mayLearn) + ")";
      case 5, 6 -> any(OF_ONE) + "(" + value(depth - 1, mayLearn) + ")";
      case 7 -> any(OF_SEVERAL) + "(" + values(2 + random.nextInt(2), depth, mayLearn) + ")";
      case 8 -> "if(" + values(3, depth, mayLearn) + ")";
      case 9 -> mayLearn ? entry(depth) : leaf(false);
      default -> sum(depth, mayLearn);
    };
  }

  private String infix(List<String> operators, int depth, boolean mayLearn) {
    return "(%s %s %s)"
        .formatted(value(depth - 1, mayLearn), any(operators), value(depth - 1, mayLearn));
  }

  private String values(int count, int depth, boolean mayLearn) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values.add(value(depth - 1, mayLearn));
    }
    return String.join(", ", values);
  }

  private String leaf(boolean mayLearn) {
    return switch (random.nextInt(6)) {
      case 0, 1 -> mayLearn ? number() : any(variables);
      case 2 -> any(NUMBERS);
      case 3 -> indices.isEmpty() ? any(variables) : indices.getFirst();
      default -> any(variables);
    };
  }

  /** A parameter without a size: a new one, or one that the formula has already. */
  private String number() {
    List<String> known = parameters.keySet().stream().filter(name -> name.startsWith("p")).toList();
    return !known.isEmpty() && random.nextBoolean() ? any(known) : add("p", null);
  }

  private String add(String kind, @Nullable Integer size) {
    String name = kind + parameters.size();
    List<Per> per = SCOPES.get(random.nextInt(SCOPES.size()));
    Double min = random.nextInt(3) == 0 ? 0.1 : null;
    Double max = random.nextInt(3) == 0 ? 0.9 : null;
    parameters.put(name, new FormulaParameter(per, size, FirstValues.of(0.5), min, max, 1));
    return name;
  }

  private String entry(int depth) {
    int size = 1 + random.nextInt(5);
    String index = "max(0, min(%s, %s))".formatted(value(depth - 1, false), size - 1);
    return "at(%s, %s)".formatted(add("t", size), index);
  }

  private String sum(int depth, boolean mayLearn) {
    String index = "i" + indices.size();
    String bounds = any(CONSTANTS) + ", " + any(CONSTANTS);
    indices.push(index);
    String term = value(depth - 1, mayLearn);
    indices.pop();
    return "sum(%s, %s, %s)".formatted(index, bounds, term);
  }

  /** A condition that is true at a query's own position, often a window. */
  private @Nullable String condition() {
    String end = "%s".formatted(1 + random.nextInt(9));
    return switch (random.nextInt(8)) {
      case 0 -> "delta < " + end;
      case 1 -> end + " >= delta and delta <= T_tr / 2";
      case 2, 3 -> "delta == 0 or " + value(3, false);
      default -> null;
    };
  }
}
