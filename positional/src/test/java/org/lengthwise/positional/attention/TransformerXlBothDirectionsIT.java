package org.lengthwise.positional.attention;

import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.TransformerXl;

class TransformerXlBothDirectionsIT extends BothDirections {

  @Override
  PositionalScheme scheme() {
    return new TransformerXl();
  }
}
