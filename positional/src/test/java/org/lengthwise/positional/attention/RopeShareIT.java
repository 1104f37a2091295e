package org.lengthwise.positional.attention;

import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Rope;
import org.lengthwise.positional.RopeScaling;

class RopeShareIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return new Rope(100, 0.25, RopeScaling.none(), null);
  }
}
