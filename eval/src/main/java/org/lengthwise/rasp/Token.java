package org.lengthwise.rasp;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A word of a program. */
record Token(Kind kind, String text, Place place) {

  /** What a token is. */
  enum Kind {
    NAME,
    NUMBER,
    STRING,
    /** A reserved word, an operator or a bracket. */
    SYMBOL,
    END
  }

  private static final Set<String> RESERVED =
      Set.of(
          "def", "return", "for", "in", "if", "else", "and", "or", "not", "draw", "load", "True",
          "False");

  private static final Pattern SPACE = Pattern.compile("(?:[ \\t\\r\\n]|#[^\\r\\n]*+)*+");

  private static final Pattern WORD =
      Pattern.compile(
          "(?<number>[0-9]++(?:\\.[0-9]++)?)"
              + "|(?<name>[A-Za-z_][A-Za-z_0-9]*+)"
              + "|\"(?<string>[^\"\\r\\n]*+)\""
              + "|(?<symbol>[=!<>]=|[-+*/%^<>=(){}\\[\\],;:])");

  /** Splits a program into tokens. The last one is the end of the file. */
  static List<Token> of(String file, String source) {
    List<Token> tokens = new ArrayList<>();
    Matcher space = SPACE.matcher(source);
    Matcher word = WORD.matcher(source);
    int line = 1;
    int lineStart = 0;
    int counted = 0;
    for (int end = 0; ; end = word.end()) {
      int start = space.region(end, source.length()).lookingAt() ? space.end() : end;
      for (; counted < start; counted++) {
        if (source.charAt(counted) == '\n') {
          line++;
          lineStart = counted + 1;
        }
      }
      Place place = new Place(file, line, source.codePointCount(lineStart, start) + 1, "");
      if (start == source.length()) {
        tokens.add(new Token(Kind.END, "", place));
        return tokens;
      }
      if (!word.region(start, source.length()).lookingAt()) {
        throw place.error(
            "a name, a number, a text in double quotes, an operator or a bracket",
            "`" + Character.toString(source.codePointAt(start)) + "`",
            "correct this character");
      }
      tokens.add(of(word, place));
    }
  }

  private static Token of(Matcher word, Place place) {
    if (word.group("number") != null) {
      return new Token(Kind.NUMBER, word.group(), place);
    }
    String string = word.group("string");
    if (string != null) {
      return new Token(Kind.STRING, string, place);
    }
    boolean isName = word.group("name") != null && !RESERVED.contains(word.group());
    return new Token(isName ? Kind.NAME : Kind.SYMBOL, word.group(), place);
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
