package org.lengthwise.positional.attention;

import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.TransformerXl;

class TransformerXlIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return new TransformerXl();
  }
}
