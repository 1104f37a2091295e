package org.lengthwise.rasp;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.DefaultErrorStrategy;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.Interval;
import org.apache.commons.numbers.fraction.BigFraction;
import org.jspecify.annotations.Nullable;
import org.lengthwise.error.ConfigException;
import org.lengthwise.rasp.grammar.RaspBaseVisitor;
import org.lengthwise.rasp.grammar.RaspLexer;
import org.lengthwise.rasp.grammar.RaspParser;

/** Turns a program of the grammar Rasp.g4 into statements. */
final class Parser extends RaspBaseVisitor<Expression> {

  record Statement(Place place, Consumer<Scope> effect) {
    void execute(Scope scope) {
      effect.accept(scope);
    }
  }

  /** A parameter, with the value that a call may omit. */
  private record Parameter(String name, @Nullable Expression fallback) {
    Function.Parameter in(Scope scope) {
      return new Function.Parameter(name, fallback == null ? null : fallback.in(scope));
    }
  }

  private final String file;
  private final CommonTokenStream tokens;
  private final RaspParser parser;
  private @Nullable Token reached;

  Parser(String file, String source) {
    this.file = file;
    this.tokens = new CommonTokenStream(new RaspLexer(CharStreams.fromString(source)));
    tokens.fill();
    for (Token token : tokens.getTokens()) {
      if (token.getType() == RaspLexer.OTHER) {
        throw wrong(
            "a name, a number, a text in double quotes, an operator or a bracket",
            token,
            "correct this character");
      }
    }
    this.parser = new RaspParser(tokens);
    parser.setErrorHandler(new FirstError());
  }

  List<Statement> program() {
    return statements(parser.program().statement());
  }

  Place place() {
    return place(reached == null ? parser.getCurrentToken() : reached);
  }

  private Place place(Token token) {
    return new Place(file, token.getLine(), token.getCharPositionInLine() + 1);
  }

  private Place place(ParserRuleContext context) {
    return place(context.getStart());
  }

  private ConfigException wrong(String expected, Token found, String advice) {
    return place(found).error(expected, quoted(found), advice);
  }

  /** The token as an error message quotes it. */
  static String quoted(Token token) {
    return switch (token.getType()) {
      case Token.EOF -> "the end of the file";
      case RaspLexer.STRING -> "the text " + token.getText();
      default -> "`" + token.getText() + "`";
    };
  }

  private final class FirstError extends DefaultErrorStrategy {
    @Override
    public void sync(org.antlr.v4.runtime.Parser recognizer) {
      // The next token that does not match is the error.
    }

    @Override
    public Token recoverInline(org.antlr.v4.runtime.Parser recognizer) {
      int missing = recognizer.getExpectedTokens().getMinElement();
      throw missing(missing, recognizer.getContext(), recognizer.getCurrentToken());
    }

    /** No alternative matches. The first token alone would start one, unless it is the error. */
    @Override
    public void reportError(
        org.antlr.v4.runtime.Parser recognizer, RecognitionException exception) {
      Token found = exception.getOffendingToken();
      ParserRuleContext context = recognizer.getContext();
      if (found == context.getStart()) {
        throw noValue(found);
      }
      throw closing(context instanceof RaspParser.ArgumentContext ? ")" : ";", context, found);
    }

    private ConfigException noValue(Token found) {
      return wrong("a value", found, "write a name, a number, a text, a list or a parenthesis");
    }

    private ConfigException noName(Token found) {
      return wrong("a name", found, "a name has letters, digits and _, and is not reserved");
    }

    private ConfigException missing(int type, ParserRuleContext context, Token found) {
      if (type == RaspLexer.NAME) {
        return noName(found);
      }
      if (type == RaspLexer.STRING) {
        return wrong("a file in double quotes", found, "write: load \"file\";");
      }
      String literal = String.valueOf(parser.getVocabulary().getLiteralName(type));
      if (List.of("')'", "']'", "'}'").contains(literal)
          && List.of("(", "[", "{").contains(tokens.LT(-1).getText())) {
        return context instanceof RaspParser.DefinitionContext ? noName(found) : noValue(found);
      }
      if (context instanceof RaspParser.DefinitionContext definition
          && literal.equals("'return'")
          && (found.getType() == Token.EOF || found.getText().equals("}"))) {
        return wrong(
            "`return` in the function " + definition.name().getText(),
            found,
            "end the function with: return value;");
      }
      boolean startsStatement =
          type == Token.EOF
              || literal.equals("'return'")
              || (context instanceof RaspParser.LoopContext && literal.equals("'}'"));
      return startsStatement ? noValue(found) : closing(unquoted(literal), context, found);
    }

    private ConfigException closing(String missing, ParserRuleContext context, Token found) {
      String advice =
          switch (missing) {
            case ";" -> "end the statement with a semicolon";
            case "=" -> "write: name = value;";
            case "in" -> "write: for name in list";
            case ":" -> "write: {key: value, ..}";
            case "(", "{" -> "write: def name(parameters) { .. return value; }";
            default -> "separate the items with commas and close the bracket";
          };
      boolean isDraw = context instanceof RaspParser.DrawContext && !missing.equals(";");
      return wrong("`" + missing + "`", found, isDraw ? "write: draw(s_op, \"input\");" : advice);
    }
  }

  private List<Statement> statements(List<RaspParser.StatementContext> contexts) {
    Effects effects = new Effects();
    return contexts.stream()
        .map(context -> new Statement(place(context), effects.visit(context)))
        .toList();
  }

  private static List<String> names(RaspParser.NamesContext context) {
    return context.name().stream().map(ParserRuleContext::getText).toList();
  }

  private final class Effects extends RaspBaseVisitor<Consumer<Scope>> {
    @Override
    public Consumer<Scope> visitDefinition(RaspParser.DefinitionContext context) {
      String name = context.name().getText();
      List<Parameter> parameters =
          context.parameter().stream().map(Parser.this::parameter).toList();
      requireDifferent(context.parameter());
      List<Statement> body = statements(context.statement());
      Expression result = expressions(context.expressions(), place(context));
      return scope -> {
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
      };
    }

    @Override
    public Consumer<Scope> visitLoop(RaspParser.LoopContext context) {
      List<String> names = names(context.names());
      Expression list = Parser.this.visit(context.expression());
      List<Statement> body = statements(context.statement());
      return scope -> {
        for (Value value : Scope.elements(list.place(), list.in(scope))) {
          scope.assign(list.place(), names, value);
          body.forEach(statement -> statement.execute(scope));
        }
      };
    }

    @Override
    public Consumer<Scope> visitLoad(RaspParser.LoadContext context) {
      return scope -> scope.load(place(context), unquoted(context.STRING().getText()));
    }

    @Override
    public Consumer<Scope> visitDraw(RaspParser.DrawContext context) {
      Expression sOp = Parser.this.visit(context.expression(0));
      Expression input = Parser.this.visit(context.expression(1));
      return scope -> {
        Node node = scope.graph().sOp(sOp.place(), sOp.in(scope));
        Run.on(input.place(), input.in(scope), node); // only --draw makes a picture
      };
    }

    @Override
    public Consumer<Scope> visitAssignment(RaspParser.AssignmentContext context) {
      Place place = place(context);
      List<String> names = names(context.names());
      Expression values = expressions(context.expressions(), place);
      return scope -> scope.assign(place, names, values.in(scope));
    }

    @Override
    public Consumer<Scope> visitEvaluation(RaspParser.EvaluationContext context) {
      return Parser.this.visit(context.expression())::in;
    }
  }

  private Parameter parameter(RaspParser.ParameterContext context) {
    RaspParser.ExpressionContext fallback = context.expression();
    return new Parameter(context.name().getText(), fallback == null ? null : visit(fallback));
  }

  private void requireDifferent(List<RaspParser.ParameterContext> parameters) {
    Set<String> names = new HashSet<>();
    for (RaspParser.ParameterContext parameter : parameters) {
      String name = parameter.name().getText();
      if (!names.add(name)) {
        throw place(parameter).error("different parameters", "`" + name + "` twice", "rename one");
      }
    }
  }

  /** One expression, or several as a list. */
  private Expression expressions(RaspParser.ExpressionsContext context, Place place) {
    List<Expression> expressions = visitAll(context.expression());
    return expressions.size() == 1 ? expressions.get(0) : Expression.list(place, expressions);
  }

  private List<Expression> visitAll(List<RaspParser.ExpressionContext> contexts) {
    return contexts.stream().map(this::visit).toList();
  }

  @Override
  public Expression visitExpression(RaspParser.ExpressionContext context) {
    reached = context.getStart();
    List<Reading.Part> parts = new ArrayList<>();
    for (int i = 0; i < context.operand().size(); i++) {
      context.operand(i).prefix().forEach(prefix -> parts.add(part(prefix.getStart(), null)));
      RaspParser.PostfixContext operand = context.operand(i).postfix();
      Token first = operand.getStart();
      Interval range = Interval.of(first.getStartIndex(), operand.getStop().getStopIndex());
      String text = first.getInputStream().getText(range);
      parts.add(part(first, new Reading.Tree(text, visit(operand))));
      if (i < context.infix().size()) {
        parts.add(part(context.infix(i).getStart(), null));
      }
    }
    parts.add(part(tokens.get(context.getStop().getTokenIndex() + 1), null));
    return Reading.agreed(parts);
  }

  private Reading.Part part(Token token, Reading.@Nullable Tree operand) {
    return new Reading.Part(token, place(token), operand);
  }

  @Override
  public Expression visitPostfix(RaspParser.PostfixContext context) {
    Expression value = visit(context.atom());
    for (RaspParser.SuffixContext suffix : context.suffix()) {
      value =
          suffix instanceof RaspParser.CallContext call
              ? Expression.call(
                  place(call), value, call.argument().stream().map(this::argument).toList())
              : Expression.entry(
                  place(suffix), value, visit(((RaspParser.IndexContext) suffix).expression()));
    }
    return value;
  }

  private Expression.Argument argument(RaspParser.ArgumentContext context) {
    RaspParser.ComparisonContext comparison = context.comparison();
    return new Expression.Argument(
        context.name() == null ? null : context.name().getText(),
        comparison == null
            ? visit(context.expression())
            : Expression.literal(
                place(comparison), Operator.of(comparison.getText(), 2).orElseThrow()));
  }

  @Override
  public Expression visitVariable(RaspParser.VariableContext context) {
    String name = context.getText();
    return new Expression(place(context), (scope, at) -> scope.get(at, name));
  }

  @Override
  public Expression visitNumber(RaspParser.NumberContext context) {
    BigDecimal decimal = new BigDecimal(context.getText());
    BigFraction unit = BigFraction.of(10).pow(-decimal.scale());
    Place place = place(context);
    return Expression.literal(
        place, Atom.Fraction.of(place, unit.multiply(decimal.unscaledValue())));
  }

  @Override
  public Expression visitText(RaspParser.TextContext context) {
    return Expression.literal(place(context), new Atom.Text(unquoted(context.getText())));
  }

  private static String unquoted(String text) {
    return text.substring(1, text.length() - 1);
  }

  @Override
  public Expression visitTruth(RaspParser.TruthContext context) {
    return Expression.literal(place(context), new Atom.Truth(context.getText().equals("True")));
  }

  @Override
  public Expression visitParentheses(RaspParser.ParenthesesContext context) {
    return visit(context.expression());
  }

  @Override
  public Expression visitList(RaspParser.ListContext context) {
    List<Expression> items = visitAll(context.expression());
    return context.names() == null
        ? Expression.list(place(context), items)
        : Expression.comprehension(
            place(context), items.get(0), names(context.names()), items.get(1));
  }

  @Override
  public Expression visitDictionary(RaspParser.DictionaryContext context) {
    return Expression.dictionary(
        place(context),
        context.entry().stream()
            .map(
                entry ->
                    new Expression.Entry(visit(entry.expression(0)), visit(entry.expression(1))))
            .toList());
  }
}
