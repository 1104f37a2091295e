package org.lengthwise.positional.formula;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lengthwise.config.InvalidValueException;

/** Expected values are computed by hand. */
class FormulaTextTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2 ^ 3 ^ 2 | 512",
        "-2 ^ 2 | -4",
        "2 ^ -1 | 0.5",
        "2 ^ -1 * 4 | 2",
        "-2 ^ -2 | -0.25",
        "7 - 4 - 2 | 1",
        "8 / 4 / 2 | 1",
        "2 + 3 * 4 | 14",
        "(2 + 3) * 4 | 20",
        "- - 3 | 3",
        "+3 | 3",
        "1e-2 + .5 + 2. | 2.51",
        "1 + 2 < 4 | 1",
        "3 <= 2 | 0",
        "2 >= 2 | 1",
        "2 == 2.0 | 1",
        "2 != 2 | 0",
        "not 1 < 2 | 0",
        "not 0 and 0 | 0",
        "1 or 0 and 0 | 1",
        "and(1, 2, 3) | 1",
        "or(0, 0) | 0",
        "not(0) + 1 | 0", // the negation of a sum
        "min(3, 1, 2) | 1",
        "max(3, 1, 2) | 3",
        "abs(-2) + floor(2.7) + ceil(2.2) | 7",
        "floor(-2.5) | -3",
        "log(exp(3)) | 3",
        "log1p(0) + sqrt(16) | 4",
        "sin(0) + cos(0) + tanh(0) | 1",
        "sigmoid(0) | 0.5",
        "relu(-3) + relu(3) | 3",
        "if(0, 1 / 0, 5) | 5",
        "if(delta > 3, 1, 2) | 1",
        "sum(i, 1, 4, i * i) | 30",
        "sum(i, 1, 2, sum(j, 1, 3, i * j)) | 18",
        "sum(i, 3, 2, i) | 0",
        "sum(i, 1, D / 2, i) | 10",
        "delta + m * 10 + n * 100 | 894",
        "m - n | 4",
        "T + T_tr + h + H + layer | 1063",
      })
  void hasTheValueOfItsPrecedence(String text, double expected) {
    Expression tree = FormulaText.of(text).tree();

    assertThat(new Evaluation(new Example()).of(tree)).isEqualTo(expected, within(1e-12));
    assertThat(
            new Evaluation(new Example()).of(Unrolling.of(tree, Map.of(Variable.HEAD_WIDTH, 8.0))))
        .isEqualTo(expected, within(1e-12));
  }

  /** Query 12, key 8, of a model with H = 4, D = 8, T_tr = 32, in a sequence of 1,024. */
  private static final class Example implements Evaluation.Point {
    @Override
    public double variable(Variable variable) {
      return switch (variable) {
        case DELTA -> 4;
        case QUERY -> 9;
        case KEY -> 8;
        case LENGTH -> 1024;
        case TRAIN_LENGTH -> 32;
        case HEAD -> 1;
        case HEADS -> 4;
        case HEAD_WIDTH -> 8;
        case LAYER -> 2;
      };
    }

    @Override
    public double parameter(String name) {
      return 0.25;
    }

    @Override
    public double entry(String table, double index) {
      return 10 * index;
    }
  }

  @Test
  void parametersAndTablesAreFreeNames() {
    FormulaText text = FormulaText.of("-p * delta + at(t, min(delta, 3.7))");

    assertThat(text.tree().parameters()).containsExactlyInAnyOrder("p", "t");
    assertThat(text.columns()).isEqualTo(Map.of("p", 2, "t", 17));
    assertThat(new Evaluation(new Example()).of(text.tree())).isEqualTo(29);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-p * log1p(a * delta | an operator, a comma, `)` or the end at column 21 | the end of the"
            + " formula",
        "delta + | a number, a name, a sign or `(` at column 8 | the end of the formula",
        "delta * * 2 | a number, a name, a sign or `(` at column 9 | `*` (equality is ==, a power"
            + " is ^)",
        "delta = 2 | an operator, a comma, `)` or the end at column 7 | `=` (equality is ==, a"
            + " power is ^)",
        "delta $ 2 | an operator, a comma, `)` or the end at column 7 | `$`",
        "2 delta | an operator, a comma, `)` or the end at column 3 | `delta`",
        "1 < delta < 3 | one comparison, or several with `and` at column 11 | `<`",
        "sigmiod(delta) | one of the functions abs, and, at, ceil, cos, exp, floor, if, log, log1p,"
            + " max, min, not, or, relu, sigmoid, sin, sqrt, sum, tanh at column 1 | `sigmiod` (did"
            + " you mean `sigmoid`?)",
        "log(1, 2) | 1 arguments of log at column 1 | 2",
        "if(1, 2) | 3 arguments of if at column 1 | 2",
        "min(3) | at least 2 arguments of min at column 1 | 1",
        "at(t, p) | an index without parameters at column 7 | the parameter p",
        "at(delta, 1) | the name of a parameter with a size at column 4 | `delta`",
        "sum(m, 1, 2, 3) | a new name for the variable of the sum at column 5 | `m`",
        "sum(i, 1, m, i) | a constant bound, of numbers, H, D and T_tr at column 11 | `m`",
        "1e999 | a finite number at column 1 | `1e999`",
        "log | arguments in parentheses at column 1 | `log` without them",
      })
  void anErrorSaysTheColumn(String text, String expected, String found) {
    assertThatThrownBy(() -> FormulaText.of(text))
        .isInstanceOfSatisfying(
            InvalidValueException.class,
            e -> {
              assertThat(e.expected()).isEqualTo(expected);
              assertThat(e.found()).isEqualTo(found);
            });
  }

  @Test
  void sizeAndDepthAreLimited() {
    assertThatThrownBy(() -> FormulaText.of("(".repeat(200) + "1" + ")".repeat(200)))
        .hasMessageContaining("at most 100 open parentheses at column 101");
    assertThatThrownBy(() -> FormulaText.of("-".repeat(400) + "1"))
        .hasMessageContaining("at most 300 of + - ^ not");
    assertThatThrownBy(() -> FormulaText.of("1" + "*1".repeat(600)))
        .hasMessageContaining("at most 1,000 names, numbers and signs");
    assertThatThrownBy(
            () -> Unrolling.of(FormulaText.of("sum(i, 1, 1000000000, i)").tree(), Map.of()))
        .hasMessageContaining("at most 5,000 operations with sums written out");
    assertThatThrownBy(() -> Unrolling.of(FormulaText.of("sum(i, 1, 2.5, i)").tree(), Map.of()))
        .hasMessageContaining("whole numbers as the bounds of a sum");
    FormulaText.of("2" + "^1".repeat(299));
    FormulaText.of("(".repeat(100) + "1" + ")".repeat(100));
  }
}
