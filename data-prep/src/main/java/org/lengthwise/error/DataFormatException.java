package org.lengthwise.error;

/**
 * Wrong data: the content of a file violates its format, or differs from what an artifact says of
 * the file.
 *
 * <p>The command line prints its message and ends with exit code 3.
 */
public final class DataFormatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Describes the error.
   *
   * @param where the file, with its line or position if known
   * @param next what the user can do
   */
  public DataFormatException(String where, String expected, String found, String next) {
    super(ConfigException.sentence(where, expected, found, next));
  }

  public DataFormatException(
      String where, String expected, String found, String next, Throwable cause) {
    super(ConfigException.sentence(where, expected, found, next), cause);
  }

  private DataFormatException(String sentence) {
    super(sentence);
  }

  /**
   * Repeats the error of another process.
   *
   * @param sentence the message of its exception
   */
  public static DataFormatException asDescribed(String sentence) {
    return new DataFormatException(sentence);
  }
}
