package org.lengthwise.positional.attention;

import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Sinusoidal;

class SinusoidalIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return new Sinusoidal();
  }
}
