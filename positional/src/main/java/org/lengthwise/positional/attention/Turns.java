package org.lengthwise.positional.attention;

/**
 * Cosines and sines of every position's angles.
 *
 * @param cos [T, P] row-major
 * @param sin [T, P] row-major
 */
record Turns(double[] cos, double[] sin) {

  /**
   * Turns from position to position: one complex product each, which is ten times cheaper than a
   * cosine and, in doubles, as good as one after many thousand positions.
   *
   * @param frequencies P angles between neighbouring positions
   * @param length T
   * @param stretch a factor of all values
   */
  static Turns of(double[] frequencies, int length, double stretch) {
    int pairs = frequencies.length;
    Turns turns = new Turns(new double[length * pairs], new double[length * pairs]);
    for (int i = 0; i < pairs; i++) {
      double stepCos = Math.cos(frequencies[i]);
      double stepSin = Math.sin(frequencies[i]);
      double cos = stretch;
      double sin = 0;
      for (int m = 0; m < length; m++) {
        turns.cos[m * pairs + i] = cos;
        turns.sin[m * pairs + i] = sin;
        double next = cos * stepCos - sin * stepSin;
        sin = sin * stepCos + cos * stepSin;
        cos = next;
      }
    }
    return turns;
  }
}
