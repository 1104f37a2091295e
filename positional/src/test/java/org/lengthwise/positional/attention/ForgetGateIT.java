package org.lengthwise.positional.attention;

import org.lengthwise.positional.ForgetGate;
import org.lengthwise.positional.NoPosition;
import org.lengthwise.positional.PositionalScheme;

class ForgetGateIT extends SchemeContract {
  @Override
  PositionalScheme scheme() {
    return new ForgetGate(ForgetGate.First.ZERO, new NoPosition());
  }
}
