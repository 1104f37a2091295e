package org.lengthwise.positional.attention;

import static org.lengthwise.positional.FormulaParameter.Per.HEAD;
import static org.lengthwise.positional.FormulaParameter.Per.SHARED;

import java.util.Map;
import org.lengthwise.positional.Formulas;
import org.lengthwise.positional.PositionalScheme;

/** A formula within a window. At distance 0, roots have infinite slopes, and the bias has none. */
class FormulaWindowIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return Formulas.of(
        "-p * delta ^ 2 / (c + 3) + sqrt(a * delta) - (b * delta) ^ 0.3 * delta ^ b",
        "delta < 5 and 7 >= delta",
        Map.of(
            "p", Formulas.number(HEAD),
            "c", Formulas.number(SHARED),
            "a", Formulas.atLeast(0.01, HEAD),
            "b", Formulas.atLeast(0.01, SHARED)));
  }
}
