package org.lengthwise.positional.attention;

import java.util.List;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Rope;
import org.lengthwise.positional.RopeScaling;

class RopeLongScalingIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return new Rope(
        100, 0.5, new RopeScaling.LongRope(List.of(1.0, 1.2), List.of(1.5, 4.0), 8, 1.19), null);
  }

  @Override
  int longestWithoutScaling() {
    return 8;
  }
}
