package org.lengthwise.positional;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lengthwise.positional.FormulaParameter.FirstValues;
import org.lengthwise.positional.FormulaParameter.Per;
import org.lengthwise.positional.formula.FormulaText;

/** Formulas for tests. */
public final class Formulas {
  private Formulas() {}

  /** A formula without a condition. */
  public static Formula of(String bias, Map<String, FormulaParameter> parameters) {
    return of(bias, null, parameters);
  }

  /**
   * A formula of models that are trained at 16 tokens. Parameters are in alphabetical order: the
   * order of {@link Map#of} differs from process to process, and so would random values.
   */
  public static Formula of(
      String bias, @Nullable String visible, Map<String, FormulaParameter> parameters) {
    FormulaText condition = visible == null ? null : FormulaText.of(visible);
    return new Formula(FormulaText.of(bias), condition, new TreeMap<>(parameters), 16);
  }

  /** A parameter with one number. */
  public static FormulaParameter number(Per... per) {
    return parameter(null, null, per);
  }

  /** A parameter with one number of at least a bound. */
  public static FormulaParameter atLeast(double min, Per... per) {
    return parameter(null, min, per);
  }

  /** A parameter with a table. */
  public static FormulaParameter table(int size, Per... per) {
    return parameter(size, null, per);
  }

  private static FormulaParameter parameter(
      @Nullable Integer size, @Nullable Double min, Per... per) {
    FirstValues initial = new FirstValues(null, null, List.of(0.0, 1.0));
    return new FormulaParameter(List.of(per), size, initial, min, null, 1);
  }
}
