package org.lengthwise.dataprep.tokenizer;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.lengthwise.dataprep.tokenizer.FileTokens.Token;

/**
 * The ids of the engine's tokens in the file.
 *
 * <p>The engine numbers tokens by itself. An added token that the vocabulary lists has its id
 * there. Another one gets the next id after the size of the vocabulary, in the order of the list,
 * whatever the file says. So the engine's copy of a file has a vocabulary without gaps, and its ids
 * are translated.
 */
final class TokenIds {
  private static final int NONE = -1;

  private final int[] inFile;
  private final int[] inEngine;

  /**
   * Numbers the tokens of the engine's copy.
   *
   * @param tokens the tokens of the file
   * @param hidden the contents of those that no text may be encoded to: they are in the copy's
   *     vocabulary under other names, and not among its added tokens
   */
  TokenIds(FileTokens tokens, Set<String> hidden) {
    int[] ids = new int[tokens.vocabulary().size() + tokens.added().size()];
    inEngine = new int[tokens.vocabularySize()];
    Arrays.fill(inEngine, NONE);
    Map<String, Integer> numbered = new HashMap<>();
    int size = 0;
    for (Token token : tokens.vocabulary()) {
      numbered.put(token.content(), size);
      if (!hidden.contains(token.content())) {
        inEngine[token.id()] = size;
      }
      ids[size++] = token.id();
    }
    for (Token token : tokens.added()) {
      if (!hidden.contains(token.content())
          && numbered.putIfAbsent(token.content(), size) == null) {
        inEngine[token.id()] = size;
        ids[size++] = token.id();
      }
    }
    inFile = Arrays.copyOf(ids, size);
  }

  /** The ids of the file, for those that a text was encoded to. */
  int[] inFile(long[] engineIds) {
    return Arrays.stream(engineIds).mapToInt(id -> inFile[(int) id]).toArray();
  }

  /** The ids of the engine, without the ids of hidden tokens and of none. */
  long[] inEngine(int[] fileIds) {
    return Arrays.stream(fileIds)
        .filter(id -> id < inEngine.length)
        .map(id -> inEngine[id])
        .filter(id -> id != NONE)
        .asLongStream()
        .toArray();
  }

  /** The largest id that a text can be encoded to. */
  int largest() {
    int id = inEngine.length - 1;
    while (id > 0 && inEngine[id] == NONE) {
      id--;
    }
    return id;
  }
}
