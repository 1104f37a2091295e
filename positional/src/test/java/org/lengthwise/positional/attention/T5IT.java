package org.lengthwise.positional.attention;

import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.T5;

class T5IT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return new T5(T5.Scale.ONE);
  }
}
