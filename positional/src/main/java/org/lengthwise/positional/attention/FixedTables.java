package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.Sandwich;
import org.lengthwise.positional.Sinusoidal;
import org.lengthwise.positional.SlidingWindow;
import org.lengthwise.positional.SlidingWindow.Within;
import org.lengthwise.positional.kernel.EngineMemory;

/** Biases without learnable numbers: computed in doubles, stored in float32. */
final class FixedTables {
  private FixedTables() {}

  /** ALiBi's slopes with a minus [H, 1]. */
  static NDArray negatedSlopes(int heads, NDManager manager) {
    double[] slopes = Alibi.slopes(heads);
    float[] negated = new float[heads];
    for (int h = 0; h < heads; h++) {
      negated[h] = (float) -slopes[h];
    }
    return EngineMemory.tensor(manager, negated, new Shape(heads, 1));
  }

  /** The bias within a window [H, min(W, T)], as sliding-dilated attention takes it. */
  static NDArray window(SlidingWindow sliding, Attention.Pass pass, NDManager manager) {
    int window = Math.min(sliding.window(), pass.length());
    double[] slopes = Alibi.slopes(pass.heads());
    float[] bias = new float[Math.multiplyExact(pass.heads(), window)];
    if (sliding.within() == Within.ALIBI) {
      for (int i = 0; i < bias.length; i++) {
        bias[i] = (float) (-slopes[i / window] * (i % window));
      }
    }
    return EngineMemory.tensor(manager, bias, new Shape(pass.heads(), window));
  }

  /** Sandwich's bias by head and distance [H, T]. */
  static NDArray sandwich(Sandwich sandwich, Attention.Pass pass, NDManager manager) {
    Turns turns = new Turns(Sinusoidal.frequencies(sandwich.dimension()), 1);
    int pairs = sandwich.dimension() / 2;
    float[] sums = new float[pass.length()];
    for (int distance = 0; distance < sums.length; distance++) {
      double sum = -pairs;
      for (int i = 0; i < pairs; i++) {
        sum += turns.cos(i);
      }
      sums[distance] = (float) sum;
      turns.advance();
    }
    float[] inverses = new float[pass.heads()];
    for (int h = 0; h < inverses.length; h++) {
      inverses[h] = (float) (1 / Sandwich.compression(h, inverses.length));
    }
    return EngineMemory.tensor(manager, inverses, new Shape(inverses.length, 1))
        .mul(EngineMemory.tensor(manager, sums, new Shape(1, sums.length)));
  }
}
