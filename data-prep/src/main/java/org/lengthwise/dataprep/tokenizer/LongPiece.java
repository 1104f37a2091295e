package org.lengthwise.dataprep.tokenizer;

import com.knuddels.jtokkit.api.IntArrayList;
import java.util.Arrays;

/**
 * A piece of many bytes while it is being merged: in time O(n log n), where looking through all
 * pairs for each merge takes O(n²).
 *
 * <p>Implementation note: a symbol lies where its first byte lies. Its length is kept at its first
 * and at its last byte, so that both neighbours are found without links. Candidates are the merged
 * id and the place in one {@code long}, so that a heap of numbers brings the lowest id first, and
 * the leftmost of equal ones. A candidate whose pair has changed meanwhile is passed over. With the
 * heap that is 11 bytes for each byte of the piece to begin with.
 */
final class LongPiece {

  private final MergeTable merges;
  private final char[] symbols;
  private final byte[] lengths;
  private final LongHeap candidates;

  LongPiece(MergeTable merges, char[] idsOfBytes, byte[] utf8, int start, int end) {
    this.merges = merges;
    symbols = new char[end - start];
    for (int i = 0; i < symbols.length; i++) {
      symbols[i] = idsOfBytes[Byte.toUnsignedInt(utf8[start + i])];
    }
    lengths = new byte[symbols.length];
    Arrays.fill(lengths, (byte) 1);
    candidates = new LongHeap(symbols.length);
    for (int i = 0; i < symbols.length; i++) {
      propose(i);
    }
  }

  /** Merges until nothing merges and adds the ids that are left to {@code ids}. */
  void encode(IntArrayList ids) {
    while (!candidates.isEmpty()) {
      long candidate = candidates.removeLowest();
      int at = (int) candidate;
      int id = (int) (candidate >>> 32);
      if (mergedAt(at) == id) {
        merge(at, id);
      }
    }
    for (int at = 0; at < symbols.length; at += length(at)) {
      ids.add(symbols[at]);
    }
  }

  private void merge(int at, int id) {
    int next = at + length(at);
    int end = next + length(next);
    symbols[next] = MergeTable.NONE;
    symbols[at] = (char) id;
    lengths[at] = (byte) (end - at);
    lengths[end - 1] = (byte) (end - at);
    propose(at);
    if (at > 0) {
      propose(at - length(at - 1));
    }
  }

  private void propose(int at) {
    int id = mergedAt(at);
    if (id != MergeTable.NONE) {
      candidates.add((long) id << 32 | at);
    }
  }

  /**
   * What the symbol at a place and its right neighbour merge into; none if no symbol begins there.
   */
  private int mergedAt(int at) {
    int next = at + length(at);
    return symbols[at] == MergeTable.NONE || next >= symbols.length
        ? MergeTable.NONE
        : merges.merged(symbols[at], symbols[next]);
  }

  private int length(int at) {
    return Byte.toUnsignedInt(lengths[at]);
  }
}
