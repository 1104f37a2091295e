package org.lengthwise.error;

/**
 * A wrong command line or configuration.
 *
 * <p>The command line prints its message and ends with exit code 2.
 */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int LONGEST = 1500;

  public ConfigException(String where, String expected, String found, String next) {
    super(sentence(where, expected, found, next));
  }

  public ConfigException(
      String where, String expected, String found, String next, Throwable cause) {
    super(sentence(where, expected, found, next), cause);
  }

  private ConfigException(String sentence) {
    super(sentence);
  }

  /**
   * Repeats the error of another process.
   *
   * @param sentence the message of its exception
   */
  public static ConfigException asDescribed(String sentence) {
    return new ConfigException(sentence);
  }

  static String sentence(String where, String expected, String found, String next) {
    return shown(where) + ": expected " + shown(expected) + ", found " + shown(found) + "; " + next;
  }

  /** A text, or its start: a damaged file may have values of any length. */
  private static String shown(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
  }
}
