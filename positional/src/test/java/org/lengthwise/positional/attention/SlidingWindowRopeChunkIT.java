package org.lengthwise.positional.attention;

import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.SlidingWindow;
import org.lengthwise.positional.SlidingWindow.Within;

class SlidingWindowRopeChunkIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return new SlidingWindow(null, 5, Within.ROPE, 100.0);
  }
}
