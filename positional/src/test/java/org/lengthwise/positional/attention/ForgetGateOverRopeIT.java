package org.lengthwise.positional.attention;

import org.lengthwise.positional.ForgetGate;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Rope;

class ForgetGateOverRopeIT extends SchemeContract {
  @Override
  PositionalScheme scheme() {
    return new ForgetGate(ForgetGate.First.SLOPES, new Rope(100));
  }
}
