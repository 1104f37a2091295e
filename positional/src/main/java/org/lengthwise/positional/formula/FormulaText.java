package org.lengthwise.positional.formula;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Map;

/**
 * A formula as its author wrote it, and the tree that it means.
 *
 * @param columns the column of the first use of each parameter, from 1
 */
public record FormulaText(String text, Expression tree, Map<String, Integer> columns) {
  public FormulaText {
    columns = Map.copyOf(columns);
  }

  /**
   * Reads a formula. A name that is neither a variable nor the variable of a sum is a parameter.
   *
   * @throws org.lengthwise.config.InvalidValueException if it is no formula, with the column
   */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static FormulaText of(String text) {
    return new FormulaReader(text).read();
  }

  @JsonValue
  @Override
  public String text() {
    return text;
  }

  @Override
  public String toString() {
    return text;
  }
}
