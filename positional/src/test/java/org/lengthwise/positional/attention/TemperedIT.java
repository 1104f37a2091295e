package org.lengthwise.positional.attention;

import org.lengthwise.positional.KerpleLog;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Temperature;
import org.lengthwise.positional.Tempered;

class TemperedIT extends SchemeContract {
  @Override
  PositionalScheme scheme() {
    return new Tempered(
        new KerpleLog(), new Temperature(Temperature.Name.SSMAX, Temperature.On.SCORES, 0, 0));
  }
}
