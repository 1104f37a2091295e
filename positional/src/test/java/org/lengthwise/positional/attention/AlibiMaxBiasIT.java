package org.lengthwise.positional.attention;

import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.PositionalScheme;

class AlibiMaxBiasIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return new Alibi(16);
  }
}
