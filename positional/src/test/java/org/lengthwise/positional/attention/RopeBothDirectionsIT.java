package org.lengthwise.positional.attention;

import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Rope;

class RopeBothDirectionsIT extends BothDirections {

  @Override
  PositionalScheme scheme() {
    return new Rope(100);
  }
}
