package org.lengthwise.positional.attention;

import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Rope;

class RopeInterpolationIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return new Rope(100)
        .scaled(new PositionScaling(PositionScaling.Kind.INTERPOLATION), 8)
        .orElseThrow();
  }

  @Override
  int longestWithoutScaling() {
    return 8;
  }
}
