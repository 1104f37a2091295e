package org.lengthwise.positional.attention;

import static org.lengthwise.positional.FormulaParameter.Per.HEAD;
import static org.lengthwise.positional.FormulaParameter.Per.LAYER;
import static org.lengthwise.positional.FormulaParameter.Per.SHARED;

import java.util.Map;
import org.lengthwise.positional.Formulas;
import org.lengthwise.positional.PositionalScheme;

/** A formula of the distance, with a table and a choice between parts with parameters. */
class FormulaByDistanceIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return Formulas.of(
        "if(delta < 4, at(t, delta) - c, -0.2 * p * log1p(a * delta)) + sum(i, 0, 3, cos(delta / 10"
            + " ^ i)) / h",
        Map.of(
            "t", Formulas.table(4, HEAD),
            "c", Formulas.number(SHARED),
            "p", Formulas.atLeast(0.01, HEAD),
            "a", Formulas.atLeast(0.01, LAYER, HEAD)));
  }
}
