package org.lengthwise.dataprep.tokenizer;

/**
 * A mapping between text and token ids.
 *
 * <p>Implementations are safe for use by several threads.
 */
public interface Tokenizer extends AutoCloseable {

  /**
   * The name in messages and artifacts.
   *
   * @return {@code gpt2}, {@code bytes}, or the name of a tokenizer file
   */
  String name();

  /**
   * The identity of the tokenizer: the SHA-256 of all data that decides the ids.
   *
   * @return 64 lower-case hexadecimal digits
   */
  String sha256();

  /**
   * V, the number of ids. Each id is at least 0 and below V.
   *
   * @return V, the number of embedding rows of a model
   */
  int vocabularySize();

  /**
   * The id that ends each document. No text is encoded to this id.
   *
   * @return an id below {@link #vocabularySize}
   */
  int endOfText();

  /**
   * Encodes a text. No token is added at either end. Special tokens in the text are encoded as
   * characters.
   *
   * @param text well-formed Unicode (no unpaired surrogate)
   * @return the ids in order, without end-of-text
   * @throws org.lengthwise.error.DataFormatException if the tokenizer encodes a part of the text as
   *     end-of-text
   */
  int[] encode(String text);

  /**
   * Decodes ids, the inverse of {@link #encode}. End-of-text decodes to nothing. Ids with an
   * incomplete character decode to U+FFFD there.
   *
   * @param ids ids below {@link #vocabularySize}
   * @return the text
   */
  String decode(int[] ids);

  /** Frees memory outside the Java heap. */
  @Override
  void close();
}
