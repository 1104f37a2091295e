package org.lengthwise.dataprep.tokenizer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Hides special tokens from a model's search for pieces, and keeps all ids and scores.
 *
 * <p>Many vocabularies list {@code </s>} like a word. Such a piece is renamed: its name is put
 * between two noncharacters, which Unicode reserves for internal use. Merges from or into the piece
 * are removed. The unknown token keeps its name, because the model looks it up.
 */
final class SpecialTokens {

  private static final char BEFORE = '\uFDD0';
  private static final char AFTER = '\uFDD1';

  private SpecialTokens() {}

  /**
   * Changes the {@code model} of a {@code tokenizer.json}; the names are without the unknown one.
   */
  static void hide(Set<String> names, ObjectNode model) {
    if (model.path("vocab") instanceof ArrayNode pieces) {
      hideInArray(names, pieces);
    } else if (model.path("vocab") instanceof ObjectNode ids) {
      hideInObject(names, ids);
    }
    if (model.path("merges") instanceof ArrayNode merges) {
      dropMerges(names, merges, model.path("continuing_subword_prefix").asText(""));
    }
  }

  /** Unigram: pairs of a piece and its score; the index is the id. */
  private static void hideInArray(Set<String> names, ArrayNode pieces) {
    for (JsonNode entry : pieces) {
      String piece = entry.path(0).asText();
      if (names.contains(piece) && entry instanceof ArrayNode pair) {
        pair.set(0, pair.textNode(hidden(piece)));
      }
    }
  }

  private static void hideInObject(Set<String> names, ObjectNode ids) {
    Map<String, JsonNode> renamed = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> entry : ids.properties()) {
      String piece = entry.getKey();
      renamed.put(names.contains(piece) ? hidden(piece) : piece, entry.getValue());
    }
    ids.removeAll();
    ids.setAll(renamed);
  }

  private static void dropMerges(Set<String> names, ArrayNode merges, String prefix) {
    for (int i = merges.size() - 1; i >= 0; i--) {
      JsonNode merge = merges.get(i);
      String[] pair = merge.asText().split(" ", 2); // the older format
      String left = merge.isArray() ? merge.path(0).asText() : pair[0];
      String right = merge.isArray() ? merge.path(1).asText() : pair[pair.length - 1];
      String end = right.startsWith(prefix) ? right.substring(prefix.length()) : right;
      if (names.contains(left) || names.contains(right) || names.contains(left + end)) {
        merges.remove(i);
      }
    }
  }

  private static String hidden(String piece) {
    return BEFORE + piece + AFTER;
  }
}
