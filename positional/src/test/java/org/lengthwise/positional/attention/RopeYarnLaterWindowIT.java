package org.lengthwise.positional.attention;

import org.lengthwise.positional.LayerWindow;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Rope;
import org.lengthwise.positional.RopeScaling;

/** A block that keeps its rotations, because its window is within the training length. */
class RopeYarnLaterWindowIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return new Rope(100, 0.5, RopeScaling.none(), new LayerWindow(7, 1))
        .scaled(new PositionScaling(PositionScaling.Kind.YARN), 8)
        .orElseThrow();
  }

  @Override
  int block() {
    return 1;
  }
}
