package org.lengthwise.positional.attention;

import org.lengthwise.positional.KerpleLog;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Randomized;

class RandomizedIT extends SchemeContract {
  @Override
  PositionalScheme scheme() {
    return new Randomized(800, new KerpleLog());
  }

  /** A longer sequence has another sample. */
  @Override
  int longestWithoutScaling() {
    return 1;
  }
}
