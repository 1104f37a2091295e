package org.lengthwise.positional.formula;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTree;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.error.Count;
import org.lengthwise.error.Nearest;
import org.lengthwise.positional.formula.grammar.FormulaBaseVisitor;
import org.lengthwise.positional.formula.grammar.FormulaLexer;
import org.lengthwise.positional.formula.grammar.FormulaParser;

/** Turns the text of one formula into its tree, and rejects what is no formula. */
final class FormulaReader extends FormulaBaseVisitor<Expression> {
  /** The most names, numbers and signs of a formula. */
  static final int MOST_TOKENS = 1_000;

  /** The most open parentheses, signs, powers and negations. All of them recurse. */
  static final int MOST_NESTING = 100;

  private static final List<String> SPECIAL = List.of("if", "at", "sum");
  private static final List<String> FOLDED = List.of("min", "max", "and", "or");

  private final String text;
  private final Deque<String> indices = new ArrayDeque<>();
  private final Map<String, Integer> columns = new LinkedHashMap<>();

  FormulaReader(String text) {
    this.text = text;
  }

  FormulaText read() {
    FormulaLexer lexer = new FormulaLexer(CharStreams.fromString(text));
    CommonTokenStream tokens = new CommonTokenStream(lexer);
    tokens.fill();
    requireSize(tokens.getTokens());
    FormulaParser parser = new FormulaParser(tokens);
    parser.removeErrorListeners();
    parser.addErrorListener(new FirstError());
    return new FormulaText(text, visit(parser.formula().expression()), columns);
  }

  private void requireSize(List<Token> tokens) {
    if (tokens.size() > MOST_TOKENS) {
      throw new InvalidValueException(
          "",
          "at most %s names, numbers and signs".formatted(Count.of(MOST_TOKENS)),
          Count.of(tokens.size()));
    }
    int open = 0;
    int recursing = 0;
    for (Token token : tokens) {
      open += token.getText().equals("(") ? 1 : token.getText().equals(")") ? -1 : 0;
      recursing += List.of("-", "+", "^", "not").contains(token.getText()) ? 1 : 0;
      if (open > MOST_NESTING) {
        throw rejected(token, "at most %s open parentheses".formatted(MOST_NESTING), "one more");
      }
    }
    if (recursing > 3 * MOST_NESTING) {
      throw new InvalidValueException(
          "", "at most %s of + - ^ not".formatted(3 * MOST_NESTING), String.valueOf(recursing));
    }
  }

  private InvalidValueException rejected(Token token, String expected, String found) {
    return new InvalidValueException("", expected + " at " + place(token), found);
  }

  /** The column from 1, with the line of a text of several lines. */
  private String place(Token token) {
    int column = token.getCharPositionInLine() + 1;
    return text.strip().contains("\n")
        ? "line %s, column %s".formatted(token.getLine(), column)
        : "column " + column;
  }

  private static String quoted(Token token) {
    return token.getType() == Token.EOF ? "the end of the formula" : "`" + token.getText() + "`";
  }

  private final class FirstError extends BaseErrorListener {
    @Override
    public void syntaxError(
        Recognizer<?, ?> recognizer,
        @Nullable Object symbol,
        int line,
        int column,
        @Nullable String message,
        @Nullable RecognitionException e) {
      Parser parser = (Parser) recognizer;
      Token token = symbol instanceof Token found ? found : parser.getCurrentToken();
      boolean startsValue = parser.getExpectedTokens().contains(FormulaLexer.NUMBER);
      boolean hint = token.getText().equals("=") || token.getText().equals("*");
      throw rejected(
          token,
          startsValue ? "a number, a name, a sign or `(`" : "an operator, a comma, `)` or the end",
          quoted(token) + (hint ? " (equality is ==, a power is ^)" : ""));
    }
  }

  @Override
  public Expression visitNumber(FormulaParser.NumberContext context) {
    double value = Double.parseDouble(context.getText());
    if (!Double.isFinite(value)) {
      throw rejected(context.getStart(), "a finite number", quoted(context.getStart()));
    }
    return new Expression.Literal(value);
  }

  @Override
  public Expression visitName(FormulaParser.NameContext context) {
    String name = context.getText();
    if (indices.contains(name)) {
      return new Expression.Index(name);
    }
    return Variable.of(name)
        .<Expression>map(Expression.Named::new)
        .orElseGet(() -> parameter(context.getStart()));
  }

  private Expression parameter(Token name) {
    requireNoFunction(name);
    columns.putIfAbsent(name.getText(), name.getCharPositionInLine() + 1);
    return new Expression.Parameter(name.getText());
  }

  private void requireNoFunction(Token name) {
    if (functions().anyMatch(name.getText()::equals)) {
      throw rejected(name, "arguments in parentheses", quoted(name) + " without them");
    }
  }

  @Override
  public Expression visitParentheses(FormulaParser.ParenthesesContext context) {
    return visit(context.expression());
  }

  @Override
  public Expression visitSign(FormulaParser.SignContext context) {
    Expression signed = visit(context.expression());
    return context.operator.getText().equals("+") ? signed : apply(Operation.NEGATE, signed);
  }

  @Override
  public Expression visitNot(FormulaParser.NotContext context) {
    return apply(Operation.NOT, visit(context.expression()));
  }

  @Override
  public Expression visitInfix(FormulaParser.InfixContext context) {
    return infix(context.operator, context.expression(0), context.expression(1));
  }

  @Override
  public Expression visitComparison(FormulaParser.ComparisonContext context) {
    for (ParseTree operand : context.expression()) {
      if (operand instanceof FormulaParser.ComparisonContext) {
        throw rejected(
            context.operator, "one comparison, or several with `and`", quoted(context.operator));
      }
    }
    return infix(context.operator, context.expression(0), context.expression(1));
  }

  private Expression infix(
      Token operator, FormulaParser.ExpressionContext left, FormulaParser.ExpressionContext right) {
    Expression first = visit(left);
    Expression second = visit(right);
    boolean isDistance =
        operator.getText().equals("-")
            && first.equals(new Expression.Named(Variable.QUERY))
            && second.equals(new Expression.Named(Variable.KEY));
    return isDistance
        ? new Expression.Named(Variable.DELTA)
        : apply(Operation.of(operator.getText(), 2).orElseThrow(), first, second);
  }

  private static Expression apply(Operation operation, Expression... arguments) {
    return new Expression.Apply(operation, Arrays.asList(arguments));
  }

  @Override
  public Expression visitCall(FormulaParser.CallContext context) {
    List<FormulaParser.ExpressionContext> arguments = context.expression();
    return switch (context.function.getText()) {
      case "if" -> {
        requireArguments(context, 3);
        yield new Expression.Choice(
            visit(arguments.get(0)), visit(arguments.get(1)), visit(arguments.get(2)));
      }
      case "at" -> entry(context);
      case "sum" -> sum(context);
      default -> function(context);
    };
  }

  private void requireArguments(FormulaParser.CallContext context, int expected) {
    if (context.expression().size() != expected) {
      throw rejected(
          context.getStart(),
          "%s arguments of %s".formatted(expected, context.function.getText()),
          String.valueOf(context.expression().size()));
    }
  }

  private Expression function(FormulaParser.CallContext context) {
    String name = context.function.getText();
    int count = context.expression().size();
    if (FOLDED.contains(name) && count > 1) {
      Operation operation = Operation.of(name, 2).orElseThrow();
      return context.expression().stream()
          .map(this::visit)
          .reduce((left, right) -> apply(operation, left, right))
          .orElseThrow();
    }
    if (functions().noneMatch(name::equals)) {
      List<String> known = functions().sorted().toList();
      throw rejected(
          context.getStart(),
          "one of the functions " + String.join(", ", known),
          "`%s`%s".formatted(name, Nearest.suggestion(name, known)));
    }
    if (FOLDED.contains(name)) {
      throw rejected(context.getStart(), "at least 2 arguments of " + name, "1");
    }
    requireArguments(context, 1);
    return apply(Operation.of(name, 1).orElseThrow(), visit(context.expression(0)));
  }

  private static Stream<String> functions() {
    Stream<String> operations =
        Arrays.stream(Operation.values())
            .map(Operation::symbol)
            .filter(symbol -> Character.isLetter(symbol.charAt(0)));
    return Stream.concat(operations, SPECIAL.stream()).distinct();
  }

  private Expression entry(FormulaParser.CallContext context) {
    requireArguments(context, 2);
    Token table = name(context.expression(0), "the name of a parameter with a size");
    Expression found = parameter(table);
    Expression index = visit(context.expression(1));
    if (!index.parameters().isEmpty()) {
      throw rejected(
          context.expression(1).getStart(),
          "an index without parameters",
          "the parameter " + index.parameters().get(0));
    }
    return new Expression.Entry(((Expression.Parameter) found).name(), index);
  }

  private Expression sum(FormulaParser.CallContext context) {
    requireArguments(context, 4);
    Token index = name(context.expression(0), "a new name for the variable of the sum");
    Expression from = bound(context.expression(1));
    Expression to = bound(context.expression(2));
    indices.push(index.getText());
    Expression term = visit(context.expression(3));
    indices.pop();
    return new Expression.Sum(index.getText(), from, to, term);
  }

  private Expression bound(FormulaParser.ExpressionContext context) {
    Expression bound = visit(context);
    boolean isConstant =
        bound
            .nodes()
            .allMatch(
                node ->
                    node instanceof Expression.Literal
                        || node instanceof Expression.Apply
                        || (node instanceof Expression.Named named
                            && named.variable().isConstant()));
    if (!isConstant) {
      throw rejected(
          context.getStart(),
          "a constant bound, of numbers, H, D and T_tr",
          "`" + context.getText() + "`");
    }
    return bound;
  }

  /** A name that is not that of a variable. */
  private Token name(FormulaParser.ExpressionContext context, String expected) {
    String name = context.getText();
    boolean isFree = Variable.of(name).isEmpty() && !indices.contains(name);
    if (!(context instanceof FormulaParser.NameContext) || !isFree) {
      throw rejected(context.getStart(), expected, "`" + name + "`");
    }
    requireNoFunction(context.getStart());
    return context.getStart();
  }
}
