package org.lengthwise.positional.attention;

import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.SlidingWindow;
import org.lengthwise.positional.SlidingWindow.Within;

class SlidingWindowWithoutPositionIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return new SlidingWindow(16, Within.NONE);
  }
}
