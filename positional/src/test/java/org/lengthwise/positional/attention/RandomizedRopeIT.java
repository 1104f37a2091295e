package org.lengthwise.positional.attention;

import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Randomized;
import org.lengthwise.positional.Rope;

class RandomizedRopeIT extends SchemeContract {
  @Override
  PositionalScheme scheme() {
    return new Randomized(800, new Rope(10_000));
  }

  /** A longer sequence has another sample. */
  @Override
  int longestWithoutScaling() {
    return 1;
  }
}
