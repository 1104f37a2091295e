package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import org.lengthwise.positional.Rotary;

/**
 * How far a rotary scheme turns each of the P = D/2 pairs at each position; made once for a pass.
 *
 * @param cos_TP cosines, float32
 * @param sin_TP sines, float32
 */
record Rotations(NDArray cos_TP, NDArray sin_TP) {

  static Rotations of(Rotary rotary, Attention.Pass pass, NDManager manager) {
    double[] frequencies = rotary.frequencies(pass.headWidth(), pass.length());
    Turns turns = Turns.of(frequencies, pass.length(), rotary.stretch(pass.length()));
    Shape shape = new Shape(pass.length(), frequencies.length);
    return new Rotations(
        manager.create(floats(turns.cos()), shape), manager.create(floats(turns.sin()), shape));
  }

  private static float[] floats(double[] values) {
    float[] floats = new float[values.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) values[i];
    }
    return floats;
  }
}
