package org.lengthwise.positional.attention;

import org.lengthwise.positional.Dape;
import org.lengthwise.positional.KerpleLog;
import org.lengthwise.positional.PositionalScheme;

class DapeIT extends SchemeContract {
  @Override
  PositionalScheme scheme() {
    return new Dape(2, new KerpleLog());
  }
}
