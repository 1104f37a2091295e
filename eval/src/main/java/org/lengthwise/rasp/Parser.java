package org.lengthwise.rasp;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.commons.numbers.fraction.BigFraction;
import org.jspecify.annotations.Nullable;
import org.lengthwise.error.ConfigException;

/**
 * Reads a program by recursive descent.
 *
 * <pre>
 * program    = { statement }
 * statement  = "def" NAME "(" [ NAME ["=" expr] { "," .. } ] ")"
 *              "{" { statement } "return" exprs ";" "}"
 *            | "for" names "in" expr "{" { statement } "}"
 *            | names "=" exprs ";" | expr ";"
 *            | "draw" "(" expr "," expr ")" ";" | "load" STRING ";"
 * names      = NAME { "," NAME }            exprs = expr { "," expr }
 * expr       = prefixed { operator prefixed }, ordered by {@link Reading}
 * prefixed   = { "not" | "-" | "+" } postfix
 * operator   = "if" expr "else" | "or" | "and" | "in" | "==" | "!=" | "&lt;" | "&lt;=" | "&gt;" | "&gt;="
 *            | "+" | "-" | "*" | "/" | "%" | "^"
 * postfix    = atom { "(" [ argument { "," argument } ] ")" | "[" expr "]" }
 * argument   = [ NAME "=" ] expr | comparison
 * atom       = NUMBER | STRING | "True" | "False" | NAME | "(" expr ")" | "[" [exprs] "]"
 *            | "[" expr "for" names "in" expr "]" | "{" [ expr ":" expr { "," .. } ] "}"
 * </pre>
 */
final class Parser {
  private static final String DRAW = "write: draw(s_op, \"input\");";

  /** A parameter, with the value that a call may omit. */
  private record Parameter(String name, @Nullable Expression fallback) {
    Function.Parameter in(Scope scope) {
      return new Function.Parameter(name, fallback == null ? null : fallback.in(scope));
    }
  }

  private final String source;
  private final List<Token> tokens;
  private int next;

  Parser(String file, String source) {
    this.source = source;
    this.tokens = Token.of(file, source);
  }

  /** The place that the parser has reached. */
  Place place() {
    return token().place();
  }

  List<Statement> program() {
    List<Statement> statements = new ArrayList<>();
    while (token().kind() != Token.Kind.END) {
      statements.add(statement());
    }
    return statements;
  }

  private Token token() {
    return tokens.get(next);
  }

  private Token take() {
    return tokens.get(next++);
  }

  private boolean isAfter(String symbol) {
    return next + 1 < tokens.size() && tokens.get(next + 1).is(symbol);
  }

  private boolean accept(String symbol) {
    boolean isFound = token().is(symbol);
    if (isFound) {
      next++;
    }
    return isFound;
  }

  private void require(String symbol, String advice) {
    if (!accept(symbol)) {
      throw wrong("`" + symbol + "`", advice);
    }
  }

  private ConfigException wrong(String expected, String advice) {
    return place().error(expected, token().found(), advice);
  }

  private String name() {
    if (token().kind() != Token.Kind.NAME) {
      throw wrong("a name", "a name has letters, digits and _, and is not reserved");
    }
    return take().text();
  }

  /** Items with commas between them. */
  private <T> List<T> list(Supplier<T> item) {
    List<T> items = new ArrayList<>();
    do {
      items.add(item.get());
    } while (accept(","));
    return items;
  }

  /** Items up to a closing bracket; there may be none. */
  private <T> List<T> listUntil(String close, Supplier<T> item) {
    List<T> items = token().is(close) ? List.of() : list(item);
    require(close, "separate the items with commas and close the bracket");
    return items;
  }

  private Statement statement() {
    Place place = place();
    if (accept("def")) {
      return definition(place);
    }
    if (accept("for")) {
      List<String> names = list(this::name);
      require("in", "write: for name in list { .. }");
      Expression list = expression();
      require("{", "put the repeated statements in braces");
      List<Statement> body = new ArrayList<>();
      while (!accept("}")) {
        body.add(statement());
      }
      return new Statement(
          place,
          scope -> {
            for (Value value : Scope.elements(list.place(), list.in(scope))) {
              scope.assign(list.place(), names, value);
              body.forEach(statement -> statement.execute(scope));
            }
          });
    }
    Statement statement = simple(place);
    require(";", "end the statement with a semicolon");
    return statement;
  }

  private Statement definition(Place place) {
    String name = name();
    String form = "write: def " + name + "(parameters) { .. return value; }";
    require("(", form);
    List<Parameter> parameters = listUntil(")", this::parameter);
    require("{", form);
    List<Statement> body = new ArrayList<>();
    while (!accept("return")) {
      if (token().kind() == Token.Kind.END || token().is("}")) {
        throw wrong("`return` in the function " + name, "end the function with: return value;");
      }
      body.add(statement());
    }
    Expression result = expressions(place);
    require(";", "end the statement with a semicolon");
    require("}", "close the function after its return");
    return new Statement(
        place,
        scope -> {
          List<Function.Parameter> evaluated =
              parameters.stream().map(parameter -> parameter.in(scope)).toList();
          Function.Body run =
              (caller, graph, arguments) -> {
                Scope inner = scope.call(caller);
                for (int i = 0; i < arguments.size(); i++) {
                  inner.set(evaluated.get(i).name(), arguments.get(i));
                }
                body.forEach(statement -> statement.execute(inner));
                return result.in(inner);
              };
          scope.set(name, new Function(name, evaluated, run));
        });
  }

  private Parameter parameter() {
    return new Parameter(name(), accept("=") ? expression() : null);
  }

  private Statement simple(Place place) {
    if (accept("load")) {
      if (token().kind() != Token.Kind.STRING) {
        throw wrong("a file in double quotes", "write: load \"file\";");
      }
      String file = take().text();
      return new Statement(place, scope -> scope.load(place, file));
    }
    if (accept("draw")) {
      require("(", DRAW);
      Expression sOp = expression();
      require(",", DRAW);
      Expression input = expression();
      require(")", DRAW);
      return new Statement(
          place,
          scope -> {
            Node node = scope.graph().sOp(sOp.place(), sOp.in(scope));
            Run.on(input.place(), input.in(scope), node); // only --draw makes a picture
          });
    }
    if (token().kind() == Token.Kind.NAME && (isAfter("=") || isAfter(","))) {
      List<String> names = list(this::name);
      require("=", "write: name = value;");
      Expression values = expressions(place);
      return new Statement(place, scope -> scope.assign(place, names, values.in(scope)));
    }
    return new Statement(place, expression()::in);
  }

  /** One expression, or several as a list. */
  private Expression expressions(Place place) {
    List<Expression> expressions = list(this::expression);
    return expressions.size() == 1 ? expressions.get(0) : Expression.list(place, expressions);
  }

  private Expression expression() {
    List<Reading.Part> parts = new ArrayList<>();
    do {
      while (Reading.isPrefix(token())) {
        parts.add(new Reading.Part(take(), null));
      }
      Token first = token();
      Expression operand = postfix();
      String text = source.substring(first.begin(), tokens.get(next - 1).end());
      parts.add(new Reading.Part(first, new Reading.Tree(text, operand)));
    } while (Reading.isInfix(token()) && parts.add(new Reading.Part(take(), null)));
    parts.add(new Reading.Part(token(), null));
    return Reading.agreed(parts);
  }

  private Expression postfix() {
    Expression value = atom();
    while (true) {
      Place place = place();
      if (accept("(")) {
        value = Expression.call(place, value, listUntil(")", this::argument));
      } else if (accept("[")) {
        value = Expression.entry(place, value, expression());
        require("]", "close the bracket after the index");
      } else {
        return value;
      }
    }
  }

  private Expression.Argument argument() {
    String name = null;
    if (token().kind() == Token.Kind.NAME && isAfter("=")) {
      name = name();
      next++;
    }
    Operator comparison = comparison();
    return new Expression.Argument(
        name, comparison == null ? expression() : Expression.literal(take().place(), comparison));
  }

  private @Nullable Operator comparison() {
    return token().kind() == Token.Kind.SYMBOL
        ? Operator.of(token().text(), 2).filter(Operator::isComparison).orElse(null)
        : null;
  }

  private Expression atom() {
    Token token = token();
    Place place = token.place();
    if (token.kind() == Token.Kind.NAME) {
      String name = take().text();
      return new Expression(place, (scope, at) -> scope.get(at, name));
    }
    if (token.kind() == Token.Kind.NUMBER) {
      return Expression.literal(place, number(take()));
    }
    if (token.kind() == Token.Kind.STRING) {
      return Expression.literal(place, new Atom.Text(take().text()));
    }
    if (token.is("True") || token.is("False")) {
      return Expression.literal(place, new Atom.Truth(take().is("True")));
    }
    if (accept("(")) {
      Expression inner = expression();
      require(")", "close the parenthesis");
      return inner;
    }
    if (accept("[")) {
      return listOrComprehension(place);
    }
    if (accept("{")) {
      return Expression.dictionary(place, listUntil("}", this::entry));
    }
    throw wrong("a value", "write a name, a number, a text, a list or a parenthesis");
  }

  private static Atom number(Token token) {
    BigDecimal decimal = new BigDecimal(token.text());
    BigFraction unit = BigFraction.of(10).pow(-decimal.scale());
    return Atom.Fraction.of(token.place(), unit.multiply(decimal.unscaledValue()));
  }

  private Expression listOrComprehension(Place place) {
    List<Expression> items = token().is("]") ? List.of() : list(this::expression);
    if (items.size() != 1 || !accept("for")) {
      require("]", "separate the items with commas and close the bracket");
      return Expression.list(place, items);
    }
    List<String> names = list(this::name);
    require("in", "write: [value for name in list]");
    Expression list = expression();
    require("]", "close the bracket after the list");
    return Expression.comprehension(place, items.get(0), names, list);
  }

  private Expression.Entry entry() {
    Expression key = expression();
    require(":", "write: {key: value, ..}");
    return new Expression.Entry(key, expression());
  }
}
