package org.lengthwise.dataprep;

/**
 * A wrong command line or configuration: the run was asked for something that cannot be done as it
 * was said.
 *
 * <p>The command line turns it into its message and the exit code 2.
 */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Describes the mistake in the one form that all such messages have.
   *
   * @param where the file, with its line or position where there is one, or the option
   * @param expected what would have been right
   * @param found what is there instead
   * @param next what the user can do about it
   */
  public ConfigException(String where, String expected, String found, String next) {
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
  public ConfigException(
      String where, String expected, String found, String next, Throwable cause) {
    super(sentence(where, expected, found, next), cause);
  }

  private ConfigException(String sentence) {
    super(sentence);
  }

  /**
   * Takes over the description that another process gave, word by word.
   *
   * @param sentence the message of its exception
   * @return an exception of the same message
   */
  public static ConfigException asDescribed(String sentence) {
    return new ConfigException(sentence);
  }

  private static String sentence(String where, String expected, String found, String next) {
    return where + ": expected " + expected + ", found " + found + "; " + next;
  }
}
