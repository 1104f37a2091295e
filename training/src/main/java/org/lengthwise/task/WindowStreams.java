package org.lengthwise.task;

import org.lengthwise.error.DataFormatException;
import org.lengthwise.random.RandomStreams;

/**
 * The order of windows in which each sequence of a batch reads on: the windows are a ring, and the
 * streams begin at equal distances on it. Every window is read once in an epoch.
 *
 * @param numStreams B
 * @param length the windows between the beginnings of two streams
 * @param start the window at which the first stream begins, drawn from the seed
 */
record WindowStreams(int numStreams, long length, long start) {

  static WindowStreams of(long numWindows, int numStreams, RandomStreams random) {
    long length = numWindows / numStreams;
    if (length < 1) {
      throw new DataFormatException(
          "train split",
          "at least %s windows of training.length, one for each stream".formatted(numStreams),
          numWindows + " windows",
          "prepare more documents, or lower training.batch or training.length");
    }
    long start = Math.floorMod(random.seedOf("windows/streams"), length * numStreams);
    return new WindowStreams(numStreams, length, start);
  }

  /** {@return the windows on the ring; at the end of the split, fewer than B are not used} */
  long used() {
    return length * numStreams;
  }

  /** {@return the window of a sample: streams take turns} */
  long window(long sample) {
    long step = sample / numStreams;
    return (start + sample % numStreams * length + step) % used();
  }
}
