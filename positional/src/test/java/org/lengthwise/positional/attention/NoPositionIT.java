package org.lengthwise.positional.attention;

import org.lengthwise.positional.NoPosition;
import org.lengthwise.positional.PositionalScheme;

class NoPositionIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return new NoPosition();
  }
}
