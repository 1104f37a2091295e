package org.lengthwise.generate;

import java.util.Arrays;
import java.util.function.Consumer;
import org.lengthwise.dataprep.tokenizer.Tokenizer;

/**
 * Text that grows token by token and is printed in whole characters. A token may be part of a
 * character, or decode differently at the beginning of a text. The printed piece is therefore the
 * difference between the decoded text with and without the token.
 */
public final class TextStream {
  /** The character that replaces an incomplete or invalid one in decoded text. */
  private static final char REPLACEMENT = '\uFFFD';

  /** The number of tokens of the prompt that are decoded with the first generated token. */
  private static final int LOOK_BACK = 8;

  private final Tokenizer tokenizer;
  private final Consumer<String> sink;

  /** The tokens of the last printed piece and all tokens after them. */
  private int[] tokens;

  /** The number of these tokens that are printed. */
  private int printed;

  /**
   * Creates an empty text after a prompt.
   *
   * @param tokenizer decodes tokens; the caller closes it
   * @param sink receives each piece of text as soon as its characters are complete
   */
  public TextStream(Tokenizer tokenizer, int[] prompt, Consumer<String> sink) {
    this.tokenizer = tokenizer;
    this.sink = sink;
    this.tokens = Arrays.copyOfRange(prompt, Math.max(0, prompt.length - LOOK_BACK), prompt.length);
    this.printed = tokens.length;
  }

  public void add(int token) {
    tokens = Arrays.copyOf(tokens, tokens.length + 1);
    tokens[tokens.length - 1] = token;
    String piece = unprinted();
    if (!piece.isEmpty() && piece.charAt(piece.length() - 1) != REPLACEMENT) {
      sink.accept(piece);
      tokens = Arrays.copyOfRange(tokens, printed, tokens.length);
      printed = tokens.length;
    }
  }

  /** Prints the rest, even if the last character is incomplete. */
  public void end() {
    String piece = unprinted();
    if (!piece.isEmpty()) {
      sink.accept(piece);
      printed = tokens.length;
    }
  }

  private String unprinted() {
    String before = tokenizer.decode(Arrays.copyOf(tokens, printed));
    String now = tokenizer.decode(tokens);
    return now.length() > before.length() ? now.substring(before.length()) : "";
  }
}
