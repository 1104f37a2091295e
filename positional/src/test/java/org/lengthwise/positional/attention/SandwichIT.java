package org.lengthwise.positional.attention;

import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Sandwich;

class SandwichIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return new Sandwich(16);
  }
}
