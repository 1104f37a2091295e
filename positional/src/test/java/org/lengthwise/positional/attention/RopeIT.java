package org.lengthwise.positional.attention;

import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Rope;

class RopeIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return new Rope(10_000);
  }
}
