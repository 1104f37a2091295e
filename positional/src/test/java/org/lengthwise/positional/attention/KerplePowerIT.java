package org.lengthwise.positional.attention;

import org.lengthwise.positional.KerplePower;
import org.lengthwise.positional.PositionalScheme;

class KerplePowerIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return new KerplePower();
  }
}
