package org.lengthwise.task;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * Documents of windows that are read apart: rows that begin at position 0, padded to one length.
 * What follows a position changes nothing there, so padding has no effect.
 *
 * @param count the rows
 * @param tokens the inputs, count x length
 * @param places the places of the targets among all positions, in ascending order
 * @param targets the target at each place
 */
record Documents(int count, long[] tokens, long[] places, long[] targets) {
  /** Documents of similar length are read together: up to the same power of two. */
  private static int paddedLength(int length, int longest) {
    int power = Integer.highestOneBit(length);
    return Math.min(longest, power == length ? length : 2 * power);
  }

  /**
   * {@return the documents of windows, in groups of similar length} A document ends with
   * end-of-text. The token after it is no target, since it begins another document; with BOS, which
   * stands at the place of the end-of-text, it is one.
   */
  static List<Documents> of(Samples windows, int endOfText, Optional<Integer> bos) {
    int length = windows.tokens().length / windows.count();
    Map<Integer, List<int[]>> bounds = new TreeMap<>();
    for (int b = 0; b < windows.count(); b++) {
      int last = (b + 1) * length;
      int start = b * length;
      for (int i = start; i <= last; i++) {
        boolean isBos = bos.isPresent() && i == start;
        if (i == last || (windows.tokens()[i] == endOfText && !isBos)) {
          if (i > start) {
            int padded = paddedLength(i - start, length);
            bounds.computeIfAbsent(padded, key -> new ArrayList<>()).add(new int[] {start, i});
          }
          start = bos.isPresent() ? i : i + 1;
        }
      }
    }
    List<Documents> groups = new ArrayList<>();
    bounds.forEach((padded, rows) -> groups.add(of(windows, padded, rows, bos)));
    return groups;
  }

  private static Documents of(
      Samples windows, int length, List<int[]> rows, Optional<Integer> bos) {
    long[] tokens = new long[rows.size() * length];
    LongStream.Builder places = LongStream.builder();
    LongStream.Builder targets = LongStream.builder();
    for (int r = 0; r < rows.size(); r++) {
      for (int i = rows.get(r)[0]; i < rows.get(r)[1]; i++) {
        int place = r * length + i - rows.get(r)[0];
        tokens[place] = windows.tokens()[i];
        places.add(place);
        targets.add(windows.targets()[i]);
      }
      if (bos.isPresent()) {
        tokens[r * length] = bos.get();
      }
    }
    return new Documents(rows.size(), tokens, places.build().toArray(), targets.build().toArray());
  }

  /**
   * Documents on a device.
   *
   * @param tokens_BT the inputs
   * @param places_N the places of targets among the B T positions
   * @param targets_N the target at each place
   */
  record Rows(NDArray tokens_BT, NDArray places_N, NDArray targets_N) {}

  Rows on(NDManager manager) {
    return new Rows(
        manager.create(tokens, new Shape(count, tokens.length / count)),
        manager.create(places),
        manager.create(targets));
  }
}
