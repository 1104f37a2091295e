package org.lengthwise.positional.attention;

import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Rope;
import org.lengthwise.positional.RopeScaling;

class RopeLinearScalingIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return new Rope(100, 1, new RopeScaling.Linear(4), null);
  }
}
