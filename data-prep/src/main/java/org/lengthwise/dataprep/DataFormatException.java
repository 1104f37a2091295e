package org.lengthwise.dataprep;

/**
 * Wrong data: a file that was read does not hold what its format, or the artifact that names it,
 * promises.
 *
 * <p>The command line turns it into its message and the exit code 3.
 */
public final class DataFormatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Describes the mistake in the one form that all such messages have.
   *
   * @param where the file, with its line or position where there is one, or the option
   * @param expected what would have been right
   * @param found what is there instead
   * @param next what the user can do about it
   */
  public DataFormatException(String where, String expected, String found, String next) {
    super(sentence(where, expected, found, next));
  }

  /**
   * Describes a mistake that surfaced as another exception.
   *
   * @param where the file, with its line or position where there is one, or the option
   * @param expected what would have been right
   * @param found what is there instead
   * @param next what the user can do about it
   * @param cause the exception that brought it to light
   */
  public DataFormatException(
      String where, String expected, String found, String next, Throwable cause) {
    super(sentence(where, expected, found, next), cause);
  }

  private DataFormatException(String sentence) {
    super(sentence);
  }

  /**
   * Takes over the description that another process gave, word by word.
   *
   * @param sentence the message of its exception
   * @return an exception of the same message
   */
  public static DataFormatException asDescribed(String sentence) {
    return new DataFormatException(sentence);
  }

  private static String sentence(String where, String expected, String found, String next) {
    return where + ": expected " + expected + ", found " + found + "; " + next;
  }
}
