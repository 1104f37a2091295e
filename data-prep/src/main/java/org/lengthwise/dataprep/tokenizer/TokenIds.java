package org.lengthwise.dataprep.tokenizer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
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
  private final int[] inFile;
  private final TreeMap<Integer, Integer> inEngine = new TreeMap<>();

  /** Numbers the tokens. Special ones are not searched in texts, hidden ones are in no text. */
  TokenIds(FileTokens tokens, Set<String> special, Set<String> hidden) {
    List<Token> numbered = new ArrayList<>(tokens.vocabulary());
    Set<String> known = new HashSet<>(special);
    numbered.forEach(token -> known.add(token.content()));
    tokens.added().stream().filter(token -> known.add(token.content())).forEach(numbered::add);
    inFile = numbered.stream().mapToInt(Token::id).toArray();
    for (int id = 0; id < inFile.length; id++) {
      if (!hidden.contains(numbered.get(id).content())) {
        inEngine.put(inFile[id], id);
      }
    }
  }

  int[] inFile(long[] engineIds) {
    return Arrays.stream(engineIds).mapToInt(id -> inFile[(int) id]).toArray();
  }

  /** The ids of the engine, without the ids of hidden tokens and of none. */
  long[] inEngine(int[] fileIds) {
    return Arrays.stream(fileIds)
        .mapToObj(inEngine::get)
        .filter(Objects::nonNull)
        .mapToLong(Integer::longValue)
        .toArray();
  }

  /** The largest id of the file that a text can be encoded to. */
  int largest() {
    return inEngine.isEmpty() ? 0 : inEngine.lastKey();
  }
}
