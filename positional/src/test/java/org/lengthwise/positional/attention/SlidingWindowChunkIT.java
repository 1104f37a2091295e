package org.lengthwise.positional.attention;

import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.SlidingWindow;
import org.lengthwise.positional.SlidingWindow.Within;

class SlidingWindowChunkIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return new SlidingWindow(null, 7, Within.ALIBI, null);
  }
}
