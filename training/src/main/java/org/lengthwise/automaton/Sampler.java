package org.lengthwise.automaton;

import java.util.Random;

/** Draws the strings of a task. */
@FunctionalInterface
public interface Sampler {

  /**
   * Prepares drawing at one length.
   *
   * @throws org.lengthwise.config.InvalidValueException if no string of the length has a label, or
   *     counting the strings would need too much memory
   */
  Draw at(int length);

  /**
   * {@return the number of symbols of the strings that are drawn at a length: T, unless a task has
   * no strings of that length}
   */
  default int numSymbols(int length) {
    return length;
  }

  /** Draws strings of one length. Several threads may use a draw. */
  @FunctionalInterface
  interface Draw {

    /**
     * {@return the ids of a string that is drawn}
     *
     * @param index the index of the string; where labels are balanced, it decides the label
     */
    int[] string(long index, Random random);
  }
}
