package org.lengthwise.rasp;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.commons.numbers.fraction.BigFraction;
import org.jspecify.annotations.Nullable;

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
  private static final String SEMICOLON_NEXT = "end the statement with a semicolon";

  private final List<Token> tokens;
  private int next;

  Parser(List<Token> tokens) {
    this.tokens = tokens;
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

  private boolean isNext(int ahead, String symbol) {
    return next + ahead < tokens.size() && tokens.get(next + ahead).is(symbol);
  }

  private boolean accept(String symbol) {
    boolean found = token().is(symbol);
    if (found) {
      next++;
    }
    return found;
  }

  private void require(String symbol, String advice) {
    if (!accept(symbol)) {
      throw wrong("`" + symbol + "`", advice);
    }
  }

  private RuntimeException wrong(String expected, String advice) {
    return place().error(expected, token().found(), advice);
  }

  private String take(Token.Kind kind, String expected, String advice) {
    if (token().kind() != kind) {
      throw wrong(expected, advice);
    }
    return tokens.get(next++).text();
  }

  private String name() {
    return take(Token.Kind.NAME, "a name", "a name has letters, digits and _, and is not reserved");
  }

  /** Items with commas between them. */
  private <T> List<T> list(Supplier<T> item) {
    List<T> items = new ArrayList<>();
    do {
      items.add(item.get());
    } while (accept(","));
    return items;
  }

  /** The same up to a closing bracket, or no items. */
  private <T> List<T> listUntil(String close, Supplier<T> item) {
    List<T> items = token().is(close) ? List.of() : list(item);
    require(close, "separate the items with commas and close the bracket");
    return items;
  }

  private List<String> names() {
    return list(this::name);
  }

  private List<Expression> expressions() {
    return list(this::expression);
  }

  private Statement statement() {
    Place place = place();
    if (accept("def")) {
      return definition(place);
    }
    if (accept("for")) {
      List<String> names = names();
      require("in", "write: for name in list { .. }");
      return new Statement.For(place, names, expression(), block());
    }
    Statement statement = simple(place);
    require(";", SEMICOLON_NEXT);
    return statement;
  }

  private Statement definition(Place place) {
    String name = name();
    require("(", "write: def " + name + "(parameters) { .. return value; }");
    List<Statement.Declared> parameters = listUntil(")", this::parameter);
    require("{", "write: def " + name + "(parameters) { .. return value; }");
    List<Statement> body = new ArrayList<>();
    while (!accept("return")) {
      if (token().kind() == Token.Kind.END || token().is("}")) {
        throw wrong("`return` in the function " + name, "end the function with: return value;");
      }
      body.add(statement());
    }
    List<Expression> results = expressions();
    require(";", SEMICOLON_NEXT);
    require("}", "close the function after its return");
    return new Statement.Define(place, name, parameters, body, results);
  }

  private Statement.Declared parameter() {
    String name = name();
    return new Statement.Declared(name, accept("=") ? expression() : null);
  }

  private List<Statement> block() {
    require("{", "put the repeated statements in braces");
    List<Statement> body = new ArrayList<>();
    while (!accept("}")) {
      body.add(statement());
    }
    return body;
  }

  private Statement simple(Place place) {
    if (accept("load")) {
      String file = take(Token.Kind.STRING, "a file in double quotes", "write: load \"file\";");
      return new Statement.Load(place, file);
    }
    if (accept("draw")) {
      require("(", "write: draw(s_op, \"input\");");
      Expression sOp = expression();
      require(",", "write: draw(s_op, \"input\");");
      Expression input = expression();
      require(")", "write: draw(s_op, \"input\");");
      return new Statement.Draw(place, sOp, input);
    }
    if (token().kind() == Token.Kind.NAME && (isNext(1, "=") || isNext(1, ","))) {
      List<String> names = names();
      require("=", "write: name = value;");
      return new Statement.Assign(place, names, expressions());
    }
    return new Statement.Evaluate(place, expression());
  }

  /** Reads an expression under both rules of precedence. */
  private Expression expression() {
    List<Reading.Part> parts = new ArrayList<>();
    do {
      while (Reading.isPrefix(token())) {
        parts.add(operator());
      }
      Token first = token();
      parts.add(new Reading.Part(first, postfix()));
    } while (Reading.isInfix(token()) && parts.add(operator()));
    parts.add(new Reading.Part(token(), null));
    Expression usual = Reading.USUAL.read(parts);
    Expression authors = Reading.AUTHORS.read(parts);
    if (!usual.equals(authors)) {
      throw parts
          .get(0)
          .token()
          .place()
          .error(
              "an expression with one reading",
              "`%s` by Python's precedence, `%s` by that of the authors' program"
                  .formatted(usual, authors),
              "add parentheses");
    }
    return usual;
  }

  private Reading.Part operator() {
    return new Reading.Part(tokens.get(next++), null);
  }

  private Expression postfix() {
    Expression value = atom();
    while (true) {
      Place place = place();
      if (accept("(")) {
        value = new Expression.Call(place, value, listUntil(")", this::argument));
      } else if (accept("[")) {
        value = new Expression.Index(place, value, expression());
        require("]", "close the bracket after the index");
      } else {
        return value;
      }
    }
  }

  private Expression.Argument argument() {
    String name = null;
    if (token().kind() == Token.Kind.NAME && isNext(1, "=")) {
      name = name();
      next++;
    }
    Operator comparison = comparison();
    if (comparison == null) {
      return new Expression.Argument(name, expression());
    }
    Place place = tokens.get(next++).place();
    return new Expression.Argument(name, new Expression.Literal(place, comparison));
  }

  private @Nullable Operator comparison() {
    return token().kind() == Token.Kind.SYMBOL
        ? Operator.of(token().text(), 2).filter(Operator::isComparison).orElse(null)
        : null;
  }

  private Expression atom() {
    Token token = tokens.get(next++);
    return switch (token.kind()) {
      case NAME -> new Expression.Name(token.place(), token.text());
      case NUMBER -> new Expression.Literal(token.place(), number(token));
      case STRING -> new Expression.Literal(token.place(), new Atom.Text(token.text()));
      default -> truthOrBracket(token);
    };
  }

  private Expression truthOrBracket(Token token) {
    Place place = token.place();
    if (token.is("True") || token.is("False")) {
      return new Expression.Literal(place, new Atom.Truth(token.is("True")));
    }
    if (token.is("(")) {
      Expression inner = expression();
      require(")", "close the parenthesis");
      return inner;
    }
    if (token.is("[")) {
      return listOrComprehension(place);
    }
    if (token.is("{")) {
      return new Expression.Dictionary(place, listUntil("}", this::entry));
    }
    next--;
    throw wrong("a value", "write a name, a number, a text, a list or a parenthesis");
  }

  private static Atom number(Token token) {
    String digits = token.text();
    int point = digits.indexOf('.');
    BigFraction whole =
        BigFraction.of(new BigInteger(point < 0 ? digits : digits.replace(".", "")));
    int decimals = point < 0 ? 0 : digits.length() - point - 1;
    return Atom.Fraction.of(
        token.place(), whole.divide(BigFraction.of(BigInteger.TEN.pow(decimals))));
  }

  private Expression listOrComprehension(Place place) {
    if (accept("]")) {
      return new Expression.Listing(place, List.of());
    }
    List<Expression> items = expressions();
    if (items.size() > 1 || !accept("for")) {
      require("]", "separate the items with commas and close the bracket");
      return new Expression.Listing(place, items);
    }
    List<String> names = names();
    require("in", "write: [value for name in list]");
    Expression source = expression();
    require("]", "close the bracket after the list");
    return new Expression.Comprehension(place, items.get(0), names, source);
  }

  private Expression.Entry entry() {
    Expression key = expression();
    require(":", "write: {key: value, ..}");
    return new Expression.Entry(key, expression());
  }
}
