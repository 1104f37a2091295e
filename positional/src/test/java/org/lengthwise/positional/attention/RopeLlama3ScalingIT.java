package org.lengthwise.positional.attention;

import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Rope;
import org.lengthwise.positional.RopeScaling;

class RopeLlama3ScalingIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return new Rope(500_000, 1, new RopeScaling.Llama3(8, 1, 4, 64), null);
  }
}
