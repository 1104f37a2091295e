package org.lengthwise.eval.generate;

import java.util.Arrays;
import java.util.function.Consumer;
import org.lengthwise.dataprep.tokenizer.Tokenizer;

/**
 * Text that grows token by token, given out in whole characters. A token may be a part of a
 * character, or mean something else at the beginning of a text than within it: so what is shown is
 * the difference that a token makes to the text of the tokens before it.
 */
public final class TextStream {
  /** A character that is not complete, or never will be. */
  private static final char REPLACEMENT = '\uFFFD';

  /** How many tokens of the prompt the first ones are read with. */
  private static final int LOOK_BACK = 8;

  private final Tokenizer tokenizer;
  private final Consumer<String> sink;

  /** The tokens since before the last piece that was given out. */
  private int[] tokens;

  /** How many of them are given out. */
  private int shown;

  /**
   * Text behind a prompt.
   *
   * @param tokenizer what the tokens are of, kept open by the caller
   * @param prompt the tokens before
   * @param sink given each piece of text as soon as it is whole
   */
  public TextStream(Tokenizer tokenizer, int[] prompt, Consumer<String> sink) {
    this.tokenizer = tokenizer;
    this.sink = sink;
    this.tokens = Arrays.copyOfRange(prompt, Math.max(0, prompt.length - LOOK_BACK), prompt.length);
    this.shown = tokens.length;
  }

  /**
   * Adds a token.
   *
   * @param token its id
   */
  public void add(int token) {
    tokens = Arrays.copyOf(tokens, tokens.length + 1);
    tokens[tokens.length - 1] = token;
    String piece = unseen();
    if (!piece.isEmpty() && piece.charAt(piece.length() - 1) != REPLACEMENT) {
      sink.accept(piece);
      tokens = Arrays.copyOfRange(tokens, shown, tokens.length);
      shown = tokens.length;
    }
  }

  /** Gives out what is left, a broken character at the end included. */
  public void end() {
    String piece = unseen();
    if (!piece.isEmpty()) {
      sink.accept(piece);
      shown = tokens.length;
    }
  }

  private String unseen() {
    String before = tokenizer.decode(Arrays.copyOf(tokens, shown));
    String now = tokenizer.decode(tokens);
    return now.length() > before.length() ? now.substring(before.length()) : "";
  }
}
