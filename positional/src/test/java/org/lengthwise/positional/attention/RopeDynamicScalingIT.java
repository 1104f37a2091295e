package org.lengthwise.positional.attention;

import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Rope;
import org.lengthwise.positional.RopeScaling;

class RopeDynamicScalingIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return new Rope(100, 1, new RopeScaling.Dynamic(2, 8), null);
  }

  @Override
  int longestWithoutScaling() {
    return 8;
  }
}
