package org.lengthwise.dataprep.tokenizer;

import com.knuddels.jtokkit.api.IntArrayList;

/**
 * Byte-pair encoding of one piece (Sennrich et al. 2016). It starts with single bytes. Each step
 * merges the pair with the lowest merged id, the leftmost of several, until no pair merges.
 *
 * <p>Implementation note: the published ranks do not list the two parts of a token. Encoding its
 * bytes with all lower merges yields exactly these two parts, so the merges are derived in the
 * order of their ids.
 */
final class PieceEncoder {

  /** From this length on, a heap is faster than scanning all pairs. */
  private static final int LONG_PIECE_BYTES = 128;

  private final TokenBytes tokens;
  private final MergeTable merges;
  private final char[] idsOfBytes = new char[256];

  PieceEncoder(TokenBytes tokens) {
    this.tokens = tokens;
    merges = new MergeTable(tokens.size());
    for (int id = 0; id < tokens.size(); id++) {
      byte[] token = new byte[tokens.length(id)];
      tokens.copy(id, token, 0);
      if (token.length == 1) {
        idsOfBytes[Byte.toUnsignedInt(token[0])] = (char) id;
      } else {
        learn(id, token);
      }
    }
  }

  private void learn(int id, byte[] token) {
    IntArrayList parts = new IntArrayList(2);
    merge(token, 0, token.length, parts);
    if (parts.size() != 2) {
      throw new IllegalArgumentException("no two tokens with lower ids merge into token " + id);
    }
    merges.put(parts.get(0), parts.get(1), id);
  }

  void encode(byte[] utf8, int start, int end, IntArrayList ids) {
    int whole = tokens.idOf(utf8, start, end);
    if (whole != TokenBytes.NONE) {
      ids.add(whole);
    } else if (end - start < LONG_PIECE_BYTES) {
      merge(utf8, start, end, ids);
    } else {
      new LongPiece(merges, idsOfBytes, utf8, start, end).encode(ids);
    }
  }

  /** Scans all pairs for each merge: quadratic, but fastest for a word. */
  private void merge(byte[] utf8, int start, int end, IntArrayList ids) {
    int numSymbols = end - start;
    char[] symbols = new char[numSymbols];
    char[] merged = new char[numSymbols]; // of each symbol with the next one
    for (int i = 0; i < numSymbols; i++) {
      symbols[i] = idsOfBytes[Byte.toUnsignedInt(utf8[start + i])];
    }
    for (int i = 0; i < numSymbols; i++) {
      merged[i] = mergedAt(symbols, i, numSymbols);
    }
    int first = indexOfLowest(merged, numSymbols);
    while (merged[first] != MergeTable.NONE) {
      symbols[first] = merged[first];
      numSymbols--;
      System.arraycopy(symbols, first + 2, symbols, first + 1, numSymbols - first - 1);
      System.arraycopy(merged, first + 1, merged, first, numSymbols - first);
      merged[first] = mergedAt(symbols, first, numSymbols);
      if (first > 0) {
        merged[first - 1] = mergedAt(symbols, first - 1, numSymbols);
      }
      first = indexOfLowest(merged, numSymbols);
    }
    for (int i = 0; i < numSymbols; i++) {
      ids.add(symbols[i]);
    }
  }

  private char mergedAt(char[] symbols, int i, int numSymbols) {
    return (char)
        (i + 1 < numSymbols ? merges.merged(symbols[i], symbols[i + 1]) : MergeTable.NONE);
  }

  private static int indexOfLowest(char[] values, int count) {
    int lowest = 0;
    for (int i = 1; i < count; i++) {
      if (values[i] < values[lowest]) {
        lowest = i;
      }
    }
    return lowest;
  }
}
