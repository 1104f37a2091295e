package org.lengthwise.rasp;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A word of a program.
 *
 * @param begin the index of its first character in the source
 * @param end the index after its last character
 */
record Token(Kind kind, String text, Place place, int begin, int end) {

  /** What a token is. A symbol is a reserved word, an operator or a bracket. */
  enum Kind {
    NAME,
    NUMBER,
    STRING,
    SYMBOL,
    END
  }

  private static final Set<String> RESERVED =
      Set.of(
          "def", "return", "for", "in", "if", "else", "and", "or", "not", "draw", "load", "True",
          "False");

  private static final Pattern WORD =
      Pattern.compile(
          "(?<space>[ \\t\\r]++|#[^\\r\\n]*+)"
              + "|(?<newline>\\n)"
              + "|(?<number>[0-9]++(?:\\.[0-9]++)?)"
              + "|(?<name>[A-Za-z_][A-Za-z_0-9]*+)"
              + "|\"(?<string>[^\"\\r\\n]*+)\""
              + "|[=!<>]=|[-+*/%^<>=(){}\\[\\],;:]");

  /** Splits a program into tokens. The last one is the end of the file. */
  static List<Token> of(String file, String source) {
    List<Token> tokens = new ArrayList<>();
    Matcher word = WORD.matcher(source);
    int line = 1;
    int lineStart = 0;
    int at = 0;
    for (; at < source.length(); at = word.end()) {
      boolean isWord = word.region(at, source.length()).lookingAt();
      if (isWord && word.group("newline") != null) {
        line++;
        lineStart = word.end();
      } else if (!isWord || word.group("space") == null) {
        Place place = new Place(file, line, source.codePointCount(lineStart, at) + 1);
        if (!isWord) {
          throw place.error(
              "a name, a number, a text in double quotes, an operator or a bracket",
              "`" + Character.toString(source.codePointAt(at)) + "`",
              "correct this character");
        }
        tokens.add(of(word, place));
      }
    }
    Place place = new Place(file, line, source.codePointCount(lineStart, at) + 1);
    tokens.add(new Token(Kind.END, "", place, at, at));
    return tokens;
  }

  private static Token of(Matcher word, Place place) {
    String string = word.group("string");
    boolean isName = word.group("name") != null && !RESERVED.contains(word.group());
    Kind kind =
        string != null
            ? Kind.STRING
            : isName ? Kind.NAME : word.group("number") != null ? Kind.NUMBER : Kind.SYMBOL;
    return new Token(kind, string != null ? string : word.group(), place, word.start(), word.end());
  }

  boolean is(String symbol) {
    return kind == Kind.SYMBOL && text.equals(symbol);
  }

  /** The token as an error message quotes it. */
  String found() {
    return switch (kind) {
      case END -> "the end of the file";
      case STRING -> "the text \"" + text + "\"";
      default -> "`" + text + "`";
    };
  }
}
