package org.lengthwise.positional.attention;

import org.lengthwise.positional.KerpleLog;
import org.lengthwise.positional.PositionalScheme;

class KerpleLogIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return new KerpleLog();
  }
}
