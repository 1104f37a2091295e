package org.lengthwise.positional.attention;

import org.lengthwise.positional.NoPosition;
import org.lengthwise.positional.PositionalScheme;

class NoPositionBothDirectionsIT extends BothDirections {

  @Override
  PositionalScheme scheme() {
    return new NoPosition();
  }
}
