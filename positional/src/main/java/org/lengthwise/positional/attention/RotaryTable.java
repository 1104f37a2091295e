package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import org.lengthwise.kernel.EngineMemory;
import org.lengthwise.positional.PositionAngles;
import org.lengthwise.positional.Rotary;

/**
 * The rotation of each of the P = R/2 pairs at each position. All layers of a pass share the table.
 *
 * @param cos_TP cosines, float32
 * @param sin_TP sines, float32
 */
record RotaryTable(NDArray cos_TP, NDArray sin_TP) {

  static RotaryTable of(Rotary rotary, SchemeAttention.Factory in) {
    RotaryTable all = in.kernels().fixed(rotary, in.pass(), owner -> of(rotary, in.pass(), owner));
    return new RotaryTable(in.select(all.cos_TP, 0), in.select(all.sin_TP, 0));
  }

  private static RotaryTable of(Rotary rotary, Attention.Pass pass, NDManager manager) {
    double[] frequencies = rotary.frequencies(pass.headWidth(), pass.length());
    PositionAngles angles = new PositionAngles(frequencies, rotary.stretch(pass.length()));
    int pairs = frequencies.length;
    float[] cos = new float[Math.multiplyExact(pass.range(), pairs)];
    float[] sin = new float[cos.length];
    for (int position = 0; position < pass.range(); position++) {
      for (int i = 0; i < pairs; i++) {
        cos[position * pairs + i] = (float) angles.cos(i);
        sin[position * pairs + i] = (float) angles.sin(i);
      }
      angles.advance();
    }
    Shape shape = new Shape(pass.range(), pairs);
    return new RotaryTable(
        EngineMemory.tensor(manager, cos, shape), EngineMemory.tensor(manager, sin, shape));
  }
}
