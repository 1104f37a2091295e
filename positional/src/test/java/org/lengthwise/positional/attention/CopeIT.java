package org.lengthwise.positional.attention;

import org.lengthwise.positional.Cope;
import org.lengthwise.positional.PositionalScheme;

class CopeIT extends SchemeContract {
  @Override
  PositionalScheme scheme() {
    return new Cope(4, Cope.Scale.ONE);
  }
}
