package org.lengthwise.dataprep.tokenizer;

/**
 * A mapping between text and token ids.
 *
 * <p>Implementations are safe for use by several threads.
 */
public interface Tokenizer extends AutoCloseable {

  /**
   * {@return the name in messages and artifacts: {@code gpt2}, {@code bytes}, or the name of a
   * tokenizer file}
   */
  String name();

  /** {@return the SHA-256 of all data that decides the ids, in 64 lower-case hexadecimal digits} */
  String sha256();

  /**
   * {@return V, the number of ids and of a model's embedding rows} Each id is at least 0 and below
   * V.
   */
  int vocabularySize();

  /** {@return the largest id of a text with its end} Others need no row in a model. */
  default int largestTextId() {
    return vocabularySize() - 1;
  }

  /**
   * {@return the id that ends each document, below {@link #vocabularySize}} No text is encoded to
   * this id.
   */
  int endOfText();

  /**
   * Encodes a text. No token is added at either end. Special tokens in the text are encoded as
   * characters.
   *
   * @param text well-formed Unicode (no unpaired surrogate)
   * @throws org.lengthwise.error.DataFormatException if the tokenizer encodes a part of the text as
   *     end-of-text
   */
  int[] encode(String text);

  /**
   * Decodes ids, the inverse of {@link #encode}. End-of-text and other special tokens decode to
   * nothing. Ids with an incomplete character decode to U+FFFD there.
   */
  String decode(int[] ids);

  /**
   * {@return the number of bytes in UTF-8 of the text that an id stands for} It is 0 for
   * end-of-text and other special tokens. The sum over the ids of a text is the size of the text,
   * if the tokenizer is reversible and adds no space before the text.
   */
  int numBytes(int id);

  @Override
  void close();
}
