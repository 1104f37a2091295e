package org.lengthwise.dataprep.tokenizer;

import java.util.Arrays;
import java.util.List;

/**
 * The bytes that each id stands for, and the way back.
 *
 * <p>Implementation note: all tokens lie behind one another in one array; ids are found by open
 * addressing in a table that is at most a quarter full, so that most look-ups end at the first
 * slot.
 */
final class TokenBytes {

  /** What {@link #idOf} answers where no token has just these bytes. */
  static final int NONE = -1;

  /** The golden ratio as a fraction of 2^32: a product's high bits depend on all bits of a hash. */
  private static final int SPREAD = 0x9E3779B9;

  private final byte[] bytes;
  private final int[] starts;
  private final int[] slots;
  private final int shift;

  /**
   * Takes the tokens over.
   *
   * @param tokens the bytes of ids 0, 1, 2, ..., all different
   */
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

  /** The id of a token with just the bytes of {@code text} from {@code start} to {@code end}. */
  int idOf(byte[] text, int start, int end) {
    return slots[slotOf(text, start, end)];
  }

  /** Copies an id's bytes into {@code target} and returns the index after them. */
  int copy(int id, byte[] target, int at) {
    System.arraycopy(bytes, starts[id], target, at, length(id));
    return at + length(id);
  }

  /** The slot that holds the id of these bytes, or the empty one where it would be. */
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
