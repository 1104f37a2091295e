package org.lengthwise.positional.attention;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.positional.Formula;
import org.lengthwise.positional.PositionalValues;
import org.lengthwise.positional.formula.Expression;
import org.lengthwise.positional.formula.Expression.Apply;
import org.lengthwise.positional.formula.Expression.Literal;
import org.lengthwise.positional.formula.FormulaText;
import org.lengthwise.positional.formula.Operation;
import org.lengthwise.positional.formula.Variable;

/**
 * Random formulas: kernels of all forms that a formula allows against the reference in plain
 * doubles. Each seed draws formulas until one is {@linkplain #isSmooth smooth}.
 */
class RandomFormulasIT {
  private static final long SEED = Long.getLong("lengthwise.test.seed", 20231206L);
  private static final int MOST_DRAWN = 1_000;
  private static final double STEP = 1e-5;
  private static final double NOISE = 1e-5;
  private static final double MOST_BIAS = 20;
  private static final double MOST_SLOPE = 100;

  /** Functions whose last bit two libraries may compute differently. */
  private static final Set<Operation> INEXACT =
      EnumSet.of(
          Operation.POWER,
          Operation.EXP,
          Operation.LOG,
          Operation.LOG1P,
          Operation.SIN,
          Operation.COS,
          Operation.TANH,
          Operation.SIGMOID);

  private static AttentionKernels kernels;

  private final Map<String, Integer> compared = new HashMap<>();
  private final Set<Variable> variables = EnumSet.noneOf(Variable.class);
  private final Set<Operation> operations = EnumSet.noneOf(Operation.class);

  @BeforeAll
  static void loadKernels() {
    kernels = new AttentionKernels(TestDevice.current(), Precision.FLOAT32);
  }

  @AfterAll
  static void closeKernels() {
    kernels.close();
  }

  @Test
  void kernelsAgreeWithTheReference() {
    compare(SEED, 50);
  }

  @Tag("acceptance")
  @Test
  void kernelsOfManyFormulasAgreeWithTheReference() {
    compare(SEED + 1_000, 1_000);
    assertThat(variables).containsExactlyInAnyOrder(Variable.values());
    assertThat(operations).containsExactlyInAnyOrder(Operation.values());
  }

  private void compare(long first, int numFormulas) {
    System.out.printf("random formulas: seeds %d to %d%n", first, first + numFormulas - 1);
    for (long seed = first; seed < first + numFormulas; seed++) {
      compare(seed);
    }
    System.out.println("compared: " + compared);
    assertThat(compared.get("formulas")).isEqualTo(numFormulas);
    assertThat(compared.get("learned")).isGreaterThan(numFormulas / 2);
    for (String kind : List.of("by distance", "window", "by query")) {
      assertThat(compared.getOrDefault(kind, 0)).as(kind).isGreaterThan(numFormulas / 10);
    }
  }

  private void compare(long seed) {
    Random random = new Random(seed);
    AttentionCase example = smooth(seed, random);
    Formula formula = (Formula) example.scheme();
    count("formulas");
    note(formula.bias().tree());
    for (Formula form : forms(formula)) {
      String context = "seed %s, T = %s: %s".formatted(seed, example.length(), form.described());
      AttentionCase in = example.with(form, example.block());
      count(
          form.dependsOnPositions()
              ? "by query"
              : form.window().isPresent() ? "window" : "by distance");
      requireForward(in, context);
      Map<String, float[]> gradients = SchemeContractIT.gradients(in, kernels, 0);
      Map<String, float[]> ofInputs =
          Map.of(
              AttentionCase.INPUTS,
              requireNonNull(gradients.remove(AttentionCase.INPUTS), context));
      in.assertSomeGradients(ofInputs, 0, new Random(seed));
      in.assertGradients(gradients, 0, context);
      if (gradients.values().stream().anyMatch(RandomFormulasIT::isOtherThanZero)) {
        count("learned");
      }
    }
    requireLong(seed, example, random);
  }

  private static boolean isOtherThanZero(float[] gradient) {
    return IntStream.range(0, gradient.length).anyMatch(i -> Math.abs(gradient[i]) > 1e-3);
  }

  private void count(String kind) {
    compared.merge(kind, 1, Integer::sum);
  }

  private void note(Expression tree) {
    tree.nodes()
        .forEach(
            node -> {
              if (node instanceof Apply apply) {
                operations.add(apply.operation());
              } else if (node instanceof Expression.Named named) {
                variables.add(named.variable());
              }
            });
  }

  /** The first of the seed's formulas that is smooth, with random numbers. */
  private AttentionCase smooth(long seed, Random random) {
    for (int i = 0; i < MOST_DRAWN; i++) {
      count("drawn");
      Formula formula = RandomFormula.draw(random);
      int length = 1 + random.nextInt(12);
      AttentionCase example =
          AttentionCase.random(formula, length, true, random).with(formula, random.nextInt(3));
      if (isSmooth(example, true)) {
        return example;
      }
    }
    throw new AssertionError("seed " + seed + ": no smooth formula");
  }

  /** The same formula in the forms that are slower than its own, too. */
  private static List<Formula> forms(Formula formula) {
    List<Formula> forms = new ArrayList<>(List.of(formula));
    if (formula.window().isPresent()) {
      String visible = requireNonNull(formula.visible()) + " or 0";
      forms.add(with(formula, formula.bias(), FormulaText.of(visible)));
    }
    if (!formula.dependsOnPositions()) {
      FormulaText bias = FormulaText.of(formula.bias() + " + 0 * m");
      forms.add(with(formula, bias, formula.visible()));
    }
    return forms;
  }

  private static Formula with(Formula formula, FormulaText bias, @Nullable FormulaText visible) {
    return new Formula(bias, visible, formula.parameters(), formula.trainLength());
  }

  private static void requireForward(AttentionCase example, String context) {
    requireClose(SchemeContractIT.attend(example, kernels, 0), example.reference(0), context);
    requireClose(
        SchemeContractIT.attendNext(example, kernels, 0),
        example.lastOfReference(0),
        "last position, " + context);
  }

  private static void requireClose(float[] found, float[] expected, String context) {
    assertThat(found).as(context).hasSameSizeAs(expected);
    for (int i = 0; i < found.length; i++) {
      assertThat(found[i])
          .as("%s, number %d", context, i)
          .isEqualTo(expected[i], within(TestDevice.tolerance(5e-5)));
    }
  }

  /** One formula of ten with more than one block of queries, if it is smooth there. */
  private void requireLong(long seed, AttentionCase example, Random random) {
    AttentionCase all =
        AttentionCase.random(example.scheme(), 257 + random.nextInt(40), true, random);
    AttentionCase longer = all.with(example.scheme(), example.block());
    if (seed % 10 == 0 && isSmooth(longer, false)) {
      count("long");
      requireForward(longer, "seed %s, T = %s".formatted(seed, longer.length()));
    }
  }

  /**
   * Whether the bias of each pair that is seen is moderate, and neither rounding nor a small step
   * of a parameter changes it much: no jump, no corner and no cancellation is near.
   */
  private static boolean isSmooth(AttentionCase example, boolean withSlopes) {
    Formula formula = (Formula) example.scheme();
    PositionalValues values = example.values();
    try {
      formula.requireShape(AttentionCase.HEADS, AttentionCase.HEAD_WIDTH, AttentionCase.WIDTH);
      formula.requireFinite(List.of(values), example.length());
      Formula noisy = noisy(formula);
      for (int head = 0; head < AttentionCase.HEADS; head++) {
        for (int m = 0; m < example.length(); m++) {
          for (int distance = 0; distance <= m; distance++) {
            Pair pair = new Pair(head, m, distance);
            if (!isSmooth(formula, noisy, values, pair)
                || (withSlopes && !hasSlopes(formula, noisy, values, pair))) {
              return false;
            }
          }
        }
      }
      return true;
    } catch (InvalidValueException e) {
      return false; // not finite, beyond a table, or too large
    }
  }

  /** A head, a query and a distance. */
  private record Pair(int head, int query, int distance) {
    double bias(Formula formula, PositionalValues values) {
      return formula.bias(values, head, 0, query, distance);
    }
  }

  private static boolean isSmooth(
      Formula formula, Formula noisy, PositionalValues values, Pair pair) {
    double bias = pair.bias(formula, values);
    double other = pair.bias(noisy, values);
    return bias == Double.NEGATIVE_INFINITY
        ? other == bias
        : Math.abs(bias) < MOST_BIAS && Math.abs(bias - other) < 100 * NOISE;
  }

  /** Whether the slope by each number is the same over a longer step, and with rounding. */
  private static boolean hasSlopes(
      Formula formula, Formula noisy, PositionalValues values, Pair pair) {
    if (pair.bias(formula, values) == Double.NEGATIVE_INFINITY) {
      return true;
    }
    for (Map.Entry<String, double[]> numbers : values.values().entrySet()) {
      for (int i = 0; i < numbers.getValue().length; i++) {
        double slope = slope(formula, values, pair, numbers, i, STEP);
        double longer = slope(formula, values, pair, numbers, i, 4 * STEP);
        double rounded = slope(noisy, values, pair, numbers, i, STEP);
        double most = 1e-4 * Math.max(1, Math.abs(slope));
        if (!(Math.abs(slope) < MOST_SLOPE
            && Math.abs(longer - slope) < most
            && Math.abs(rounded - slope) < 10 * most)) {
          return false;
        }
      }
    }
    return true;
  }

  private static double slope(
      Formula formula,
      PositionalValues values,
      Pair pair,
      Map.Entry<String, double[]> numbers,
      int index,
      double step) {
    double number = numbers.getValue()[index];
    numbers.getValue()[index] = number + step;
    double above = pair.bias(formula, values);
    numbers.getValue()[index] = number - step;
    double below = pair.bias(formula, values);
    numbers.getValue()[index] = number;
    return (above - below) / (2 * step);
  }

  /** The same formula with errors: of float32, enlarged, or of the last bits of float64. */
  private static Formula noisy(Formula formula) {
    Random random = new Random(SEED);
    FormulaText visible = formula.visible();
    return with(
        formula, noisy(formula.bias(), random), visible == null ? null : noisy(visible, random));
  }

  private static FormulaText noisy(FormulaText formula, Random random) {
    return new FormulaText(formula.text(), noisy(formula.tree(), random), formula.columns());
  }

  private static Expression noisy(Expression exact, Random random) {
    Expression expression = exact.withParts(part -> noisy(part, random));
    double noise = 0;
    if (!expression.parameters().isEmpty()) {
      noise = NOISE;
    } else if (expression instanceof Apply apply && INEXACT.contains(apply.operation())) {
      noise = 1e-13;
    }
    return noise == 0
        ? expression
        : new Apply(
            Operation.MULTIPLY,
            List.of(expression, new Literal(1 + (random.nextBoolean() ? noise : -noise))));
  }
}
