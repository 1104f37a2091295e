package org.lengthwise.positional.attention;

import java.util.Map;
import org.lengthwise.positional.Formulas;
import org.lengthwise.positional.PositionalScheme;

/** A formula without parameters whose condition is no window. */
class FormulaMaskIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return Formulas.of("-h * delta / H", "delta <= 2 or floor(delta / 4) * 4 == delta", Map.of());
  }
}
