package org.lengthwise.dataprep.tokenizer;

import com.knuddels.jtokkit.api.IntArrayList;
import java.util.Arrays;

/**
 * Merges a long piece in O(n log n) steps. A scan of all pairs for each merge would take O(n²).
 *
 * <p>Implementation note: the index of a symbol is the index of its first byte. Its length is
 * stored at its first and last byte, so both neighbours are found without links. A candidate is one
 * {@code long}: the merged id, then the index. So the heap returns the lowest id first, and the
 * leftmost of equal ids. A candidate is skipped if its pair has changed. The initial memory is 11
 * bytes per byte of the piece.
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

  /** The id that a symbol and its right neighbour merge into, or {@link MergeTable#NONE}. */
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
