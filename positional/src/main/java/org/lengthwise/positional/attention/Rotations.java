package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import org.lengthwise.positional.Rotary;
import org.lengthwise.positional.kernel.EngineMemory;

/**
 * How far a rotary scheme turns each of the P = D/2 pairs at each position; made once for a pass.
 *
 * @param cos_TP cosines, float32
 * @param sin_TP sines, float32
 */
record Rotations(NDArray cos_TP, NDArray sin_TP) {

  static Rotations of(Rotary rotary, Attention.Pass pass, NDManager manager) {
    double[] frequencies = rotary.frequencies(pass.headWidth(), pass.length());
    Turns turns = new Turns(frequencies, rotary.stretch(pass.length()));
    int pairs = frequencies.length;
    float[] cos = new float[Math.multiplyExact(pass.length(), pairs)];
    float[] sin = new float[cos.length];
    for (int position = 0; position < pass.length(); position++) {
      for (int i = 0; i < pairs; i++) {
        cos[position * pairs + i] = (float) turns.cos(i);
        sin[position * pairs + i] = (float) turns.sin(i);
      }
      turns.advance();
    }
    Shape shape = new Shape(pass.length(), pairs);
    return new Rotations(
        EngineMemory.tensor(manager, cos, shape), EngineMemory.tensor(manager, sin, shape));
  }
}
