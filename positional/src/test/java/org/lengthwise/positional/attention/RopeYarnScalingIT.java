package org.lengthwise.positional.attention;

import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Rope;
import org.lengthwise.positional.RopeScaling;

class RopeYarnScalingIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return new Rope(100, 0.75, new RopeScaling.Yarn(4, 32), null);
  }
}
