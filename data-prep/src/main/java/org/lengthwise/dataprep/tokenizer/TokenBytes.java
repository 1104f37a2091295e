package org.lengthwise.dataprep.tokenizer;

import java.util.Arrays;
import java.util.List;

/**
 * The bytes of each id, and the id of given bytes.
 *
 * <p>Implementation note: the bytes of all tokens are in one array. Ids are found in a hash table
 * with open addressing that is at most a quarter full, so most searches end at the first slot.
 */
final class TokenBytes {

  static final int NONE = -1;

  /**
   * The golden ratio times 2^32. The high bits of a product with it depend on all bits of a hash.
   */
  private static final int SPREAD = 0x9E3779B9;

  private final byte[] bytes;
  private final int[] starts;
  private final int[] slots;
  private final int shift;

  /** The tokens are the bytes of ids 0, 1, 2, ..., all different. */
  TokenBytes(List<byte[]> tokens) {
    starts = new int[tokens.size() + 1];
    for (int id = 0; id < tokens.size(); id++) {
      starts[id + 1] = starts[id] + tokens.get(id).length;
    }
    bytes = new byte[starts[tokens.size()]];
    slots = new int[Integer.highestOneBit(tokens.size()) << 3];
    Arrays.fill(slots, NONE);
    shift = Integer.numberOfLeadingZeros(slots.length) + 1;
    for (int id = 0; id < tokens.size(); id++) {
      byte[] token = tokens.get(id);
      System.arraycopy(token, 0, bytes, starts[id], token.length);
      slots[slotOf(token, 0, token.length)] = id;
    }
  }

  int size() {
    return starts.length - 1;
  }

  int length(int id) {
    return starts[id + 1] - starts[id];
  }

  int idOf(byte[] text, int start, int end) {
    return slots[slotOf(text, start, end)];
  }

  /** Copies an id's bytes into {@code target} and returns the index after them. */
  int copy(int id, byte[] target, int at) {
    System.arraycopy(bytes, starts[id], target, at, length(id));
    return at + length(id);
  }

  private int slotOf(byte[] text, int start, int end) {
    int hash = 0;
    for (int i = start; i < end; i++) {
      hash = 31 * hash + text[i];
    }
    int slot = (hash * SPREAD) >>> shift;
    while (slots[slot] != NONE && !matches(slots[slot], text, start, end)) {
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  }

  private boolean matches(int id, byte[] text, int start, int end) {
    return Arrays.equals(bytes, starts[id], starts[id + 1], text, start, end);
  }
}
