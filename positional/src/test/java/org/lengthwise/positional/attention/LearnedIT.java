package org.lengthwise.positional.attention;

import org.lengthwise.positional.Learned;
import org.lengthwise.positional.PositionalScheme;

class LearnedIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return new Learned(700);
  }
}
