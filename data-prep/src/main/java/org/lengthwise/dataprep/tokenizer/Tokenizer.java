package org.lengthwise.dataprep.tokenizer;

/**
 * A reversible mapping between text and token ids.
 *
 * <p>Implementations are safe for use by several threads at once.
 */
public interface Tokenizer extends AutoCloseable {

  /**
   * The name shown to people and written into artifacts.
   *
   * @return {@code gpt2}, {@code bytes}, or the name of a tokenizer file
   */
  String name();

  /**
   * The identity that artifacts are compared by: a digest of whatever decides the ids.
   *
   * @return 64 lower-case hexadecimal digits
   */
  String sha256();

  /**
   * How many ids there are: every id is at least 0 and below this number.
   *
   * @return the number of embedding rows that a model of these tokens needs
   */
  int vocabularySize();

  /**
   * The id that stands after each document and that no text is encoded to.
   *
   * @return an id below {@link #vocabularySize}
   */
  int endOfText();

  /**
   * Encodes a text. Nothing is added at either end, and special tokens spelled out in the text are
   * taken as the characters that they are.
   *
   * @param text well-formed Unicode (no unpaired surrogate)
   * @return the ids in order, without end-of-text
   * @throws org.lengthwise.dataprep.DataFormatException if the tokenizer's own rules give the text
   *     an end-of-text token
   */
  int[] encode(String text);

  /**
   * Turns ids back into text: the inverse of {@link #encode}. End-of-text marks a place and is no
   * text, so it is left out. Ids that cut a character in two give U+FFFD there.
   *
   * @param ids ids below {@link #vocabularySize}
   * @return the text
   */
  String decode(int[] ids);

  /** Frees what the tokenizer holds outside the Java heap, if anything. */
  @Override
  void close();
}
