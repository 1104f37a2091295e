package org.lengthwise.positional.attention;

import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.StickBreaking;

class StickBreakingWithoutRemainderIT extends SchemeContract {
  @Override
  PositionalScheme scheme() {
    return new StickBreaking(StickBreaking.Remainder.NONE);
  }
}
