package org.lengthwise.positional.attention;

import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.T5;

class ScaledT5IT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return new T5(T5.Scale.SQRT_HEAD_WIDTH);
  }
}
