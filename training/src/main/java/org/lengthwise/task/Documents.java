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
import org.lengthwise.positional.attention.LayerStates;

/**
 * Documents of windows that are read apart: rows that begin at position 0, padded to one length.
 * What follows a position changes nothing there, so padding has no effect.
 *
 * @param count the rows
 * @param tokens the inputs, count x length
 * @param places the places of the targets among all positions, in ascending order
 * @param targets the target at each place
 * @param streams which rows begin with the state of a stream or leave one, if the windows do
 */
record Documents(
    int count,
    long[] tokens,
    long[] places,
    long[] targets,
    Optional<LayerStates.Streams> streams) {
  /** Documents of similar length are read together: up to the same power of two. */
  private static int paddedLength(int length, int longest) {
    int power = Integer.highestOneBit(length);
    return Math.min(longest, power == length ? length : 2 * power);
  }

  /**
   * {@return the documents of windows, in groups of similar length} A document ends with
   * end-of-text. The token after it is no target, since it begins another document; with BOS, which
   * stands at the place of the end-of-text, it is one. A row that leaves a state is not padded.
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
            boolean leaves = i == last && windows.streams().isPresent();
            int padded = leaves ? i - start : paddedLength(i - start, length);
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
    int[] before = new int[rows.size()];
    int[] after = new int[rows.size()];
    int perWindow = windows.tokens().length / windows.count();
    for (int r = 0; r < rows.size(); r++) {
      int start = rows.get(r)[0];
      int end = rows.get(r)[1];
      int window = start / perWindow;
      boolean isFirst = start % perWindow == 0;
      before[r] = isFirst ? windows.streams().map(of -> of.before()[window]).orElse(-1) : -1;
      after[r] = end % perWindow == 0 ? window : -1;
      for (int i = start; i < end; i++) {
        int place = r * length + i - start;
        tokens[place] = windows.tokens()[i];
        places.add(place);
        targets.add(windows.targets()[i]);
      }
      if (bos.isPresent()) {
        tokens[r * length] = bos.get();
      }
    }
    return new Documents(
        rows.size(),
        tokens,
        places.build().toArray(),
        targets.build().toArray(),
        windows.streams().map(any -> new LayerStates.Streams(before, after)));
  }

  /**
   * Documents on a device.
   *
   * @param tokens_BT the inputs
   * @param places_N the places of targets among the B T positions
   * @param targets_N the target at each place
   * @param states the states that a pass begins with and leaves; empty: from 0
   */
  record Rows(
      NDArray tokens_BT, NDArray places_N, NDArray targets_N, Optional<LayerStates> states) {}

  Rows on(NDManager manager, Optional<LayerStates> states, int first) {
    return new Rows(
        manager.create(tokens, new Shape(count, tokens.length / count)),
        manager.create(places),
        manager.create(targets),
        states.flatMap(all -> streams.map(rows -> all.at(rows, first, manager))));
  }
}
