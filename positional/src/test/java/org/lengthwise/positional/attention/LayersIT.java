package org.lengthwise.positional.attention;

import java.util.List;
import org.lengthwise.positional.KerpleLog;
import org.lengthwise.positional.Layers;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.SlidingWindow;
import org.lengthwise.positional.SlidingWindow.Within;

class LayersIT extends SchemeContract {

  @Override
  PositionalScheme scheme() {
    return new Layers(
        List.of(
            new SlidingWindow(5, Within.ROPE),
            new KerpleLog(),
            new SlidingWindow(3, Within.ALIBI)));
  }

  /** The second block of KERPLE, whose tensors all its blocks share. */
  @Override
  int block() {
    return 4;
  }
}
