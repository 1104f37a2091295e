package org.lengthwise.positional.attention;

import org.lengthwise.positional.Fire;
import org.lengthwise.positional.PositionalScheme;

class FireIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return new Fire(8);
  }
}
