package org.lengthwise.config;

import org.lengthwise.error.ConfigException;

/**
 * A record rejects one of its values. {@link LayeredConfig#bind} finds the line of the value by its
 * key, and turns this exception into a {@link ConfigException}.
 */
public final class InvalidValueException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String key;

  private final String expected;

  private final String found;

  /**
   * Describes the value.
   *
   * @param key the key in YAML and JSON, relative to the record: {@code heads}, {@code
   *     model.heads}; empty for a value that is no record, such as a formula
   */
  public InvalidValueException(String key, String expected, String found) {
    super(key + ": expected " + expected + ", found " + found);
    this.key = key;
    this.expected = expected;
    this.found = found;
  }

  /**
   * {@return the same error, described by the record around the record, so its key is relative to
   * the outer one}
   */
  public InvalidValueException below(String outer) {
    return new InvalidValueException(outer + "." + key, expected, found);
  }

  /**
   * {@return the same error for the option with the name of the key, as the command line reports
   * it}
   */
  public ConfigException ofOption() {
    return new ConfigException("--" + key, expected, found, "correct the option", this);
  }

  /**
   * {@return the key in YAML and JSON, relative to the record, such as {@code heads} or {@code
   * model.heads}}
   */
  public String key() {
    return key;
  }

  public String expected() {
    return expected;
  }

  public String found() {
    return found;
  }
}
