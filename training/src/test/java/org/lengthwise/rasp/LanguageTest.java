package org.lengthwise.rasp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lengthwise.error.ConfigException;

/** The language: values of expressions, functions, files, and errors with their places. */
class LanguageTest {
  private static final long SEED = Long.getLong("lengthwise.test.seed", 20260720);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "aggregate(select([1,2,2], [0,1,2], ==), [4,6,8]) | hey | 0 4 7",
        "aggregate(select(indices, indices, <), indices + 1) | hey | 0 1 3/2",
        "aggregate(select(indices, 1, ==), tokens) | hey | e e e",
        "tokens if indices % 2 == 0 else \"-\" | hello | h - l - o",
        "select(indices, 1, ==) or select(indices, length - 1 - indices, ==) | hey | selector",
        "length | hello | 5 5 5 5 5",
        "indicator(tokens == \"l\") | hello | 0 0 1 1 0",
        "count(tokens, \"l\") | hello | 2 2 2 2 2",
        "contains(tokens, \"z\") | hey | F F F",
        "(\"h\" in tokens) and (not (\"z\" in tokens)) | hey | T T T",
        "tokens in [\"a\", \"h\"] | hat | T T F",
        "tokens + \"!\" | ab | a! b!",
        "[\"x\", \"y\", \"z\"][indices % 2] | abc | x y x",
        "{\"a\": 1, \"b\": 5/2}[tokens] | aba | 1 5/2 1",
        "has_prev(tokens) | abca | F F F T",
        "num_prevs(tokens == \"a\") | abca | 1 1 1 2",
        "frac_prevs(tokens == \"a\") | abca | 1 1/2 1/3 1/2",
        "frac_prevs(tokens, \"a\") | abca | 1 1/2 1/3 1/2",
        "frac_prevs(indices, 1) | abc | 0 1/2 1/3",
        "histf(tokens) | aba | 2 1 2",
        "sort(tokens, -indices) | abc | c b a",
        "round(indices / 2) | abcdef | 0 0 1 2 2 2",
        "2 ^ indices | abcd | 1 2 4 8",
        "pow(indices + 1, -1) | abc | 1 1/2 1/3",
        "(-1) % 3 + 0 * indices | a | 2",
        "0.125 * indices | abc | 0 1/8 1/4",
        "(indices > 0) == 1 | ab | F T",
        "(-2) ^ (-1) * indices | abc | 0 -1/2 -1",
        "indices - 3 < -2 | abc | T F F",
        "aggregate(select(tokens, \"b\", ==), tokens, \"?\") | aba | b b b",
        "aggregate(select(tokens, \"z\", ==), tokens, \"?\") | aba | ? ? ?",
        "aggregate(select_best(select(indices, indices, <=), score(indices % 2, 1)), indices) |"
            + " abcde | 0 1 1 3 3",
        "selector_width(select(tokens, tokens, ==) and (not select(indices, indices, ==))) | abab |"
            + " 1 1 1 1",
        "[c for c in \"xyz\"][indices] | ab | x y",
        "[len(range(3)), 4][indices] | ab | 3 4",
        "range(2, 4)[indices] | ab | 2 3"
      })
  void expressionsHaveTheirValues(String expression, String input, String values) {
    if (values.equals("selector")) {
      Program program =
          Programs.of(
              "rows = [r for r in (%s)(\"%s\")]; r = rows[0][indices];"
                  .formatted(expression, input));
      assertThat(Programs.run(program.sOp("r"), input)).isEqualTo("F T T");
    } else {
      assertThat(Programs.run(expression, input)).isEqualTo(values);
    }
  }

  @Test
  void selectorsAndScoresShowQueriesAsRows() {
    Program program =
        Programs.of(
            """
            flip = select(indices, length - 1 - indices, ==);
            both = (select(indices, 1, ==) or flip)("hey");
            row0, row1, row2 = both;
            selected = both[0] + both[1] + both[2];
            products = score([0, 1, 2], [1, -1, 1])("hey");
            scores = products[0] + products[1] + products[2];
            s = selected[indices];
            t = scores[indices];
            """);

    assertThat(Programs.text(program.sOp("s"), "123456789")).isEqualTo("FTTFTFTTF");
    assertThat(Programs.run(program.sOp("t"), "123456789")).isEqualTo("0 1 2 0 -1 -2 0 1 2");
  }

  @Test
  void assignmentsChangeNoEarlierSOp() {
    Program program =
        Programs.of("a = indices; b = a + 1; a = a * 10; for i in range(3) { a = a + i; }");

    assertThat(Programs.run(program.sOp("b"), "abc")).isEqualTo("1 2 3");
    assertThat(Programs.run(program.sOp("a"), "abc")).isEqualTo("3 13 23");
  }

  @Test
  void functionsHaveDefaultsNamesAndSeveralResults() {
    Program program =
        Programs.of(
            """
            # a comment
            def both(a, b=2) { def sum(c) { return c + b; } d = sum(a); return d, a * b; }
            s, t = both(indices);  # another
            u, v = both(b=5, a=indices);
            draw(s, "abc");
            """);

    assertThat(Programs.run(program.sOp("s"), "abc")).isEqualTo("2 3 4");
    assertThat(Programs.run(program.sOp("t"), "abc")).isEqualTo("0 2 4");
    assertThat(Programs.run(program.sOp("u"), "abc")).isEqualTo("5 6 7");
    assertThat(Programs.run(program.sOp("v"), "abc")).isEqualTo("0 5 10");
  }

  @Test
  void loadedNamesAreSharedUnlessPrivate() {
    Map<String, String> files =
        Map.of(
            "test.rasp", "load \"other\"; a = b + 1;", "other.rasp", "_c = indices; b = _c * 2;");

    assertThat(Programs.run(Programs.of(files).sOp("a"), "abc")).isEqualTo("1 3 5");
    assertThatThrownBy(() -> Programs.of(files).sOp("_c"))
        .hasMessageStartingWith("test.rasp: expected the s-op `_c`, found no such name");
  }

  @Test
  void equalSelectorsAreOneHead() {
    Program program =
        Programs.of(
            """
            a = aggregate(select(tokens, tokens, ==), indices);
            b = aggregate(select(tokens, tokens, ==), indices * indices);
            both = a + b;
            other = a + aggregate(select(tokens, tokens, !=), indices);
            later = aggregate(select(a, indices, ==), b);
            """);

    assertThat(Programs.heads(program.sOp("both"))).containsExactly(1);
    assertThat(Programs.heads(program.sOp("other"))).containsExactly(2);
    assertThat(Programs.heads(program.sOp("later"))).containsExactly(1, 1);
    assertThat(Programs.heads(program.sOp("tokens"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a = indices + 1 | test.rasp:1:16: expected `;`, found the end of the file",
        "a = $; | test.rasp:1:5: expected a name, a number, a text in double quotes, an operator or"
            + " a bracket, found `$`",
        "a = tokns; | test.rasp:1:5: expected the name of a value, found `tokns` (did you mean"
            + " `tokens`?)",
        "a = (1 + ; | test.rasp:1:10: expected a value, found `;`",
        "a = 1 if 2; | test.rasp:1:11: expected `else`, since the `if` at test.rasp:1:7 has none,"
            + " found `;`",
        "a = 1 else 2; | test.rasp:1:7: expected `if` before `else`, found `else`",
        "a = select(1, 1); | test.rasp:1:11: expected arguments (keys, queries, op) of select,"
            + " found no `op`",
        "a = select(1, 1, 1); | test.rasp:1:11: expected one of == != < <= > >= as the third"
            + " argument, found the number 1",
        "a = aggregate(tokens, 1); | test.rasp:1:14: expected a selector, found an s-op",
        "a = selector_width(select_all, asume_bos=True); | test.rasp:1:42: expected arguments (sel,"
            + " assume_bos) of selector_width, found `asume_bos` (did you mean `assume_bos`?)",
        "a = 1(\"x\"); | test.rasp:1:6: expected a function, or an s-op or a selector with one"
            + " input, found the number 1",
        "a, b = [1, 2, 3]; | test.rasp:1:1: expected one value for each of a, b, found 3 values",
        "def f(x, x) { return x; } | test.rasp:1:10: expected different parameters, found `x` twice",
        "a = {1: \"a\", True: \"b\"}; | test.rasp:1:14: expected different keys, found True, which"
            + " equals one before",
        "def f(a) { b = a; } | test.rasp:1:19: expected `return` in the function f, found `}`",
        "for a in tokens { b = a; } | test.rasp:1:10: expected a list, a dictionary or a text,"
            + " found an s-op",
        "a = 1 / 0; | test.rasp:1:7: expected a divisor other than 0, found 0",
        "a = 1 + \"x\"; | test.rasp:1:7: expected a number, found the text \"x\"",
        "a = [1, 2][5]; | test.rasp:1:11: expected a whole number from -2 to 1, found the number 5",
        "load \"none\"; | test.rasp:1:1: expected a program to load, found no file none.rasp",
        "load \"test\"; | test.rasp:1:1: expected a file that does not load this one, found `test`",
        "a = select_all + 1; | test.rasp:1:16: expected an s-op or a constant, found a selector",
        "a = 9 ^ (9 ^ 9); | test.rasp:1:7: expected numbers of at most 300,000 digits, found a"
            + " longer number",
        "set example \"abc\" | test.rasp:1:5: expected `;`, found `example`",
        "show tokens; | test.rasp:1:6: expected `;`, found `tokens`",
        "a = zip([1], [2]); | test.rasp:1:5: expected the name of a value, found `zip`",
        "a = {k: 1 for k in [1]}; | test.rasp:1:11: expected `}`, found `for`",
        "a = range(0, 4, 2); | test.rasp:1:17: expected arguments (start, stop) of range, found 3"
            + " arguments",
        "a = range(9 ^ 9); | test.rasp:1:10: expected a whole number from -1,000,000 to 1,000,000,"
            + " found the number 387420489",
        "a = tokens[0]; | test.rasp:1:11: expected a list, a text or a dictionary, found an s-op",
        "draw(tokens); | test.rasp:1:12: expected `,`, found `)`",
        "a = [][0]; | test.rasp:1:7: expected a list or a text with entries, found an empty one",
        "def f(x) { return f(x); } a = f(1); | test.rasp:1:27: expected less nesting, found too"
            + " many brackets, operators or calls in each other"
      })
  void errorsNameTheirPlace(String source, String message) {
    assertThatThrownBy(() -> Programs.of(source))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void aFileThatCannotBeLoadedIsAnErrorOfTheStatement() {
    Program.Source folder =
        file -> {
          if (file.endsWith("test.rasp")) {
            return "a = 1;\nload \"folder\";";
          }
          throw new ConfigException(file.toString(), "a file of text", "a folder", "name a file");
        };
    assertThatThrownBy(() -> Program.read(Path.of("test.rasp"), folder))
        .hasMessageStartingWith(
            "test.rasp:2:1: expected a program to load, found folder.rasp: expected a file of"
                + " text");
    assertThatThrownBy(() -> Programs.of("load \"a\0\";"))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(
            "test.rasp:1:1: expected the path of a program, found Nul character");
  }

  @Test
  void laterLinesAndCharactersBeyondTheBasicPlaneAreCounted() {
    assertThatThrownBy(() -> Programs.of("a = \"§\";\n# 😀\n\n  b = \"😀\" + x;\n"))
        .hasMessageStartingWith("test.rasp:4:13: expected the name of a value, found `x`");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "not indices == 1 | (not (indices == 1)) | ((not indices) == 1)",
        "1 or 0 and 0 | (1 or (0 and 0)) | ((1 or 0) and 0)",
        "7 % 4 * 2 | ((7 % 4) * 2) | (7 % (4 * 2))",
        "1 < 2 < 3 | ((1 < 2) and .. < 3) | ((1 < 2) < 3)",
        "-2 ^ 2 | (-(2 ^ 2)) | ((-2) ^ 2)",
        "2 ^ 3 ^ 2 | (2 ^ (3 ^ 2)) | ((2 ^ 3) ^ 2)",
        "1 in [1] and 0 | ((1 in [1]) and 0) | (1 in ([1] and 0))",
        "1 if 0 else 2 if 1 else 3 | (1 if 0 else (2 if 1 else 3)) | ((1 if 0 else 2) if 1 else 3)"
      })
  void anExpressionWithTwoReadingsIsRejected(String expression, String usual, String authors) {
    assertThatThrownBy(() -> Programs.of("a = " + expression + ";"))
        .hasMessageStartingWith(
            "test.rasp:1:5: expected an expression with one reading, found `%s` by Python's precedence,"
                    .formatted(usual)
                + " `%s` by that of the authors' program".formatted(authors));
  }

  /** The library's places would mean nothing to the user. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a = selector_width(tokens); | test.rasp:1:19: expected a selector, found an s-op",
        "def f(x) { return histf(x); } a = f(select_all); | test.rasp:1:24: expected an s-op",
        "a = sort(tokens, select_all); | test.rasp:1:9: expected an s-op"
      })
  void errorsInTheLibraryAreThoseOfItsCaller(String source, String message) {
    assertThatThrownBy(() -> Programs.of(source)).hasMessageStartingWith(message);
  }

  @Test
  void anErrorOfARunInTheLibraryIsThatOfItsCaller() {
    assertThatThrownBy(() -> Programs.run("sort(tokens, [1, \"a\"][indices % 2])", "abc"))
        .hasMessageStartingWith("test.rasp:1:14, row 0: expected two numbers or two texts");
  }

  @Test
  void aConstantIsAnSOp() {
    Program program = Programs.of("three = 3; yes = indicator(True);");
    assertThat(Programs.run(program.sOp("three"), "ab")).isEqualTo("3 3");
    assertThat(Programs.heads(program.sOp("yes"))).isEmpty();
    assertThat(program.sOp("three").draw("ab")).contains("three");
  }

  @Test
  void aDrawingOfTooManyNestedStepsIsRefused() {
    SOp sOp =
        Programs.of(
                """
                sel = select_all;
                for i in range(20000) { sel = sel or select(indices, i, ==); }
                s = aggregate(sel, indices);
                """)
            .sOp("s");
    assertThatThrownBy(() -> sOp.draw("ab")).hasMessageContaining("too many to draw");
  }

  @Test
  void errorsOfARunNameThePosition() {
    assertThatThrownBy(() -> Programs.run("aggregate(select_all, tokens)", "abc"))
        .hasMessageStartingWith(
            "test.rasp:1:19, row 0: expected numbers to average, found the text \"a\" at position"
                + " 0");
    assertThatThrownBy(() -> Programs.run("1 / (indices - 2)", "abc"))
        .hasMessageStartingWith("test.rasp:1:12, position 2: expected a divisor other than 0");
    assertThatThrownBy(() -> Programs.run("tokens", "")).hasMessageStartingWith("the input:");
  }

  @Test
  void formsOfTheAuthorsProgramsAreAccepted() {
    Program program =
        Programs.of(
            """
            def _width(s) {
              s = s or select(indices,0,==);
              return round((1/aggregate(s,indicator(indices==0))))-1;
            }
            hist = _width( select(tokens_str,tokens_str,==));
            up_to_self = select(indices,indices,<=);
            n_opens = round((indices+1)*aggregate(up_to_self,indicator(tokens_str=="(")));
            pairs = ["()","{}"];
            def first() {
              # a function without parameters, and a comment in its body
              x = -1 if indices==0 else 0; # another
              return x;
            }
            s = tokens_str+")" in pairs;
            opens = tokens_str=="(";
            t = opens and not (indices==0);
            u = first();
            """);

    assertThat(Programs.run(program.sOp("s"), "(a{")).isEqualTo("T F F");
    assertThat(Programs.run(program.sOp("t"), "((a")).isEqualTo("F T F");
    assertThat(Programs.run(program.sOp("u"), "ab")).isEqualTo("-1 0");

    assertThat(Programs.run(program.sOp("hist"), "§aba")).isEqualTo("0 2 1 2");
    assertThat(Programs.run(program.sOp("n_opens"), "(a(")).isEqualTo("1 1 2");
  }

  @Test
  void randomTokensEndInAMessageWithLineAndColumn() {
    System.out.println("lengthwise.test.seed=" + SEED);
    List<String> words =
        List.of(
            "def",
            "return",
            "for",
            "in",
            "if",
            "else",
            "and",
            "or",
            "not",
            "draw",
            "load",
            "True",
            "a",
            "b",
            "tokens",
            "indices",
            "select",
            "aggregate",
            "1",
            "2.5",
            "\"x\"",
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            ",",
            ";",
            ":",
            "=",
            "==",
            "<",
            "+",
            "-",
            "*",
            "/",
            "%",
            "^",
            "\n",
            "#");
    Random random = new Random(SEED);
    int numAccepted = 0;
    for (int k = 0; k < 10_000; k++) {
      String source =
          IntStream.range(0, 1 + random.nextInt(12))
              .mapToObj(i -> words.get(random.nextInt(words.size())))
              .collect(Collectors.joining(" "));
      try {
        Programs.of(source);
        numAccepted++;
      } catch (ConfigException e) {
        assertThat(e.getMessage()).as(source).matches("(?s)test\\.rasp:\\d+:\\d+.*: expected .*");
      }
    }
    assertThat(numAccepted).isBetween(1, 9_999);
  }

  @Test
  void deepBracketsEndInAMessage() {
    assertThatThrownBy(() -> Programs.of("a = " + "(".repeat(100_000)))
        .hasMessageMatching("test\\.rasp:1:\\d+: expected less nesting.*");
  }
}
