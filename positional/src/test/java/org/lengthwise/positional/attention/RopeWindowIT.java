package org.lengthwise.positional.attention;

import org.lengthwise.positional.LayerWindow;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Rope;
import org.lengthwise.positional.RopeScaling;

class RopeWindowIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return new Rope(100, 1, RopeScaling.none(), new LayerWindow(7, 0));
  }
}
