package org.lengthwise.rasp;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A rule of precedence: how tightly each operator binds, and to which side.
 *
 * <p>The authors' program and the paper's text follow different rules. {@link Parser} applies both
 * and rejects an expression that they read differently.
 */
@SuppressWarnings("ImmutableEnumChecker") // sets and maps that only the constructor fills
enum Reading {
  /** Python's rule, without chains of comparisons. */
  USUAL(
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

  /** An operator, or an operand that was parsed before; in that case the token is its first one. */
  record Part(Token token, @Nullable Expression operand) {}

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

  /** Whether a token stands before an operand. */
  static boolean isPrefix(Token token) {
    return token.kind() == Token.Kind.SYMBOL && USUAL.levels.containsKey(token.text() + " ");
  }

  /** Whether a token stands between two operands. */
  static boolean isInfix(Token token) {
    return USUAL.level(token) > 0 || token.is("else");
  }

  private int level(Token token) {
    return token.kind() == Token.Kind.SYMBOL ? levels.getOrDefault(token.text(), 0) : 0;
  }

  /**
   * The expression as this rule reads it.
   *
   * @param parts operands and operators, and the token after them
   */
  Expression read(List<Part> parts) {
    Climb climb = new Climb(parts);
    Expression read = climb.read(1);
    Token end = climb.token();
    if (end.is("else")) {
      throw end.place().error("`if` before `else`", "`else`", "write: a if condition else b");
    }
    return read;
  }

  /** Precedence climbing: each call reads operators of at least one level. */
  private final class Climb {
    private final List<Part> parts;
    private int next;

    Climb(List<Part> parts) {
      this.parts = parts;
    }

    Token token() {
      return parts.get(next).token();
    }

    Expression read(int lowest) {
      Expression left = operand(lowest);
      boolean isCompared = false;
      for (Token operator = token(); level(operator) >= lowest; operator = token()) {
        if (level(operator) == 0) {
          break;
        }
        boolean compares =
            Operator.of(operator.text(), 2).filter(Operator::isComparison).isPresent();
        if (Reading.this == USUAL
            && isCompared
            && level(operator) == levels.getOrDefault("==", 0)) {
          throw operator
              .place()
              .error(
                  "one comparison",
                  "`"
                      + left
                      + " "
                      + operator.text()
                      + " ..`, which Python and the authors read differently",
                  "add parentheses, or join comparisons with `and`");
        }
        isCompared |= compares || operator.is("in");
        next++;
        left = operator.is("if") ? conditional(left, operator) : binary(left, operator);
      }
      return left;
    }

    private Expression operand(int lowest) {
      Part part = parts.get(next++);
      Expression known = part.operand();
      if (known != null) {
        return known;
      }
      Token operator = part.token();
      int level = levels.getOrDefault(operator.text() + " ", 0);
      if (level < lowest && operator.is("not")) {
        throw operator.place().error("an operand", "`not`", "put `not ..` in parentheses");
      }
      Operator unary = Operator.of(operator.text(), 1).orElseThrow();
      return new Expression.Unary(operator.place(), unary, read(level));
    }

    private int rightOf(Token operator) {
      return level(operator) + (rightToLeft.contains(operator.text()) ? 0 : 1);
    }

    private Expression binary(Expression left, Token operator) {
      Expression right = read(rightOf(operator));
      return Operator.of(operator.text(), 2)
          .<Expression>map(known -> new Expression.Binary(operator.place(), known, left, right))
          .orElseGet(() -> new Expression.In(operator.place(), left, right));
    }

    private Expression conditional(Expression yes, Token operator) {
      Expression condition = read(Reading.this == USUAL ? level(operator) + 1 : 1);
      if (!token().is("else")) {
        throw token()
            .place()
            .error(
                "`else`, since the `if` at " + operator.place() + " has none",
                token().found(),
                "write: a if condition else b");
      }
      next++;
      return new Expression.Conditional(operator.place(), yes, condition, read(rightOf(operator)));
    }
  }
}
