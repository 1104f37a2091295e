package org.lengthwise.rasp;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/**
 * A rule of precedence: which operator binds first, and whether equal ones bind from the left.
 *
 * <p>Python and the authors' program follow different rules. An expression is read under both. If
 * the results differ, it is rejected.
 */
@SuppressWarnings("ImmutableEnumChecker") // sets and maps that only the constructor fills
enum Reading {
  /** Python's rule. */
  PYTHON(
      Set.of("if", "^"),
      List.of("if"),
      List.of("or"),
      List.of("and"),
      List.of("not "),
      List.of("==", "!=", "<", "<=", ">", ">=", "in"),
      List.of("+", "-"),
      List.of("*", "/", "%"),
      List.of("+ ", "- "),
      List.of("^")),

  /** The rule of the authors' ANTLR grammar. */
  AUTHORS(
      Set.of(),
      List.of("in"),
      List.of("if"),
      List.of("and", "or"),
      List.of("==", "!=", "<", "<=", ">", ">="),
      List.of("+", "-"),
      List.of("%"),
      List.of("*", "/"),
      List.of("^"),
      List.of("not ", "+ ", "- "));

  /** An expression, and its text with parentheses that show how it was read. */
  record Tree(String text, Expression expression) {}

  record Part(Token token, Place place, @Nullable Tree operand) {
    String text() {
      return token.getText();
    }
  }

  private final Set<String> rightToLeft;

  /** Levels from 1, the loosest. A space marks an operator that stands before its operand. */
  private final Map<String, Integer> levels = new HashMap<>();

  @SafeVarargs
  Reading(Set<String> rightToLeft, List<String>... loosestFirst) {
    this.rightToLeft = rightToLeft;
    for (int i = 0; i < loosestFirst.length; i++) {
      for (String operator : loosestFirst[i]) {
        levels.put(operator, i + 1);
      }
    }
  }

  private int level(Part operator) {
    return levels.getOrDefault(operator.text(), 0);
  }

  /**
   * The expression on which both rules agree.
   *
   * @param parts operands and operators, and the token after them
   */
  static Expression agreed(List<Part> parts) {
    Tree python = PYTHON.new Climb(parts).all();
    Tree authors = AUTHORS.new Climb(parts).all();
    if (!python.text().equals(authors.text())) {
      throw parts
          .get(0)
          .place()
          .error(
              "an expression with one reading",
              "`%s` by Python's precedence, `%s` by that of the authors' program"
                  .formatted(python.text(), authors.text()),
              "add parentheses");
    }
    return python.expression();
  }

  /** Precedence climbing: each call reads operators of at least one level. */
  private final class Climb {
    private final List<Part> parts;
    private int next;

    Climb(List<Part> parts) {
      this.parts = parts;
    }

    private Part part() {
      return parts.get(next);
    }

    Tree all() {
      Tree all = read(1);
      if (part().text().equals("else")) {
        throw part().place().error("`if` before `else`", "`else`", "write: a if condition else b");
      }
      return all;
    }

    private Tree read(int lowest) {
      Tree left = operand(lowest);
      boolean isCompared = false;
      while (level(part()) >= lowest) {
        Part operator = part();
        boolean compares = level(operator) == levels.getOrDefault("==", 0);
        next++;
        boolean isChain = Reading.this == PYTHON && isCompared && compares;
        left =
            operator.text().equals("if")
                ? conditional(left, operator)
                : binary(left, operator, isChain);
        isCompared |= compares;
      }
      return left;
    }

    private Tree operand(int lowest) {
      Part part = parts.get(next++);
      Tree known = part.operand();
      if (known != null) {
        return known;
      }
      String symbol = part.text();
      Place place = part.place();
      int level = levels.getOrDefault(symbol + " ", 0);
      if (level < lowest && symbol.equals("not")) {
        throw place.error("an operand", "`not`", "put `not ..` in parentheses");
      }
      Operator operator = Operator.of(symbol, 1).orElseThrow();
      Tree operand = read(level);
      return new Tree(
          "(" + symbol + (operator == Operator.NOT ? " " : "") + operand.text() + ")",
          Expression.unary(place, operator, operand.expression()));
    }

    private int rightOf(Part operator) {
      return level(operator) + (rightToLeft.contains(operator.text()) ? 0 : 1);
    }

    /** In Python, {@code a < b < c} is {@code a < b and b < c}. */
    private Tree binary(Tree left, Part operator, boolean isChain) {
      Tree right = read(rightOf(operator));
      Expression first = left.expression();
      Expression second = right.expression();
      Place place = operator.place();
      return new Tree(
          "(%s%s %s %s)"
              .formatted(left.text(), isChain ? " and .." : "", operator.text(), right.text()),
          Operator.of(operator.text(), 2)
              .map(known -> Expression.binary(place, known, first, second))
              .orElseGet(() -> Expression.membership(place, first, second)));
    }

    private Tree conditional(Tree yes, Part operator) {
      Tree condition = read(Reading.this == PYTHON ? level(operator) + 1 : 1);
      if (!part().text().equals("else")) {
        throw part()
            .place()
            .error(
                "`else`, since the `if` at " + operator.place() + " has none",
                Parser.quoted(part().token()),
                "write: a if condition else b");
      }
      next++;
      Tree no = read(rightOf(operator));
      return new Tree(
          "(%s if %s else %s)".formatted(yes.text(), condition.text(), no.text()),
          Expression.conditional(
              operator.place(), yes.expression(), condition.expression(), no.expression()));
    }
  }
}
