package org.lengthwise.positional.attention;

import org.lengthwise.positional.LayerWindow;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Rope;
import org.lengthwise.positional.RopeScaling;

class RopeLaterWindowIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return new Rope(100, 0.5, RopeScaling.none(), new LayerWindow(7, 1));
  }

  @Override
  int block() {
    return 1;
  }
}
