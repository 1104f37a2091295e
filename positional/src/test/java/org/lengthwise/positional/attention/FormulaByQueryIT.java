package org.lengthwise.positional.attention;

import static org.lengthwise.positional.FormulaParameter.Per.HEAD;
import static org.lengthwise.positional.FormulaParameter.Per.SHARED;

import java.util.Map;
import org.lengthwise.positional.Formulas;
import org.lengthwise.positional.PositionalScheme;

/** A formula that depends on absolute positions. */
class FormulaByQueryIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return Formulas.of(
        "if(n < 3, at(s, n), -p * log(delta + 1) / log(m + 2)) + if(p > 0.7, 0.1 * p, sqrt(p + 2) /"
            + " (delta - 1000))",
        "n < 2 or delta < 40 or n / 2 == floor(n / 2)",
        Map.of("p", Formulas.number(HEAD), "s", Formulas.table(3, SHARED)));
  }
}
