package org.lengthwise.positional.attention;

import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RegularGpt;

class RegularGptIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return new RegularGpt(3);
  }
}
