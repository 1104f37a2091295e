package org.lengthwise.dataprep.tokenizer;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/**
 * Where a long text may be cut so that its parts have the ids of the whole: between an ASCII letter
 * and the space or line feed after it.
 *
 * <p>That holds for tokenizers that first cut a text by one of the patterns below, encode each
 * piece by itself, and neither search the text for added tokens nor normalise it otherwise than to
 * NFC. In each pattern nothing follows letters within a piece, so a piece ends at the cut in any
 * case. What comes after is found as before, for no pattern looks back; what comes before as well,
 * for only white space looks ahead, and a letter stands before the cut. NFC joins neither side of
 * it.
 */
final class SafeCuts {

  private static final String GPT2 =
      "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

  /** As published with GPT-4 and Llama 3: numbers of up to three digits. */
  private static final String THREE_DIGITS =
      "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}"
          + "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

  /** As published with Qwen 2: single digits. */
  private static final String ONE_DIGIT = THREE_DIGITS.replace("{1,3}", "");

  static final Set<String> PATTERNS = Set.of(GPT2, THREE_DIGITS, ONE_DIGIT);

  private SafeCuts() {}

  /** Whether the tokenizer that a {@code tokenizer.json} describes is one of those above. */
  static boolean allowedBy(JsonNode root) {
    return atMostNfc(root.path("normalizer"))
        && root.path("added_tokens").isEmpty()
        && cutsByPattern(root.path("pre_tokenizer"));
  }

  /** The first safe cut at or after an index, or the end of the text. */
  static int atOrAfter(int from, String text) {
    for (int i = Math.max(1, from); i < text.length(); i++) {
      char after = text.charAt(i);
      if ((after == ' ' || after == '\n') && isAsciiLetter(text.charAt(i - 1))) {
        return i;
      }
    }
    return text.length();
  }

  private static boolean atMostNfc(JsonNode normalizer) {
    return normalizer.isMissingNode() || normalizer.isNull() || isOfType(normalizer, "NFC");
  }

  private static boolean cutsByPattern(JsonNode preTokenizer) {
    JsonNode steps = preTokenizer.path("pretokenizers");
    return isOfType(preTokenizer, "Sequence")
        ? steps.size() == 2 && isKnownSplit(steps.path(0)) && isByteLevel(steps.path(1))
        : isByteLevel(preTokenizer) && preTokenizer.path("use_regex").asBoolean(true);
  }

  private static boolean isByteLevel(JsonNode node) {
    return isOfType(node, "ByteLevel") && !node.path("add_prefix_space").asBoolean(true);
  }

  private static boolean isKnownSplit(JsonNode split) {
    return isOfType(split, "Split")
        && "Isolated".equals(split.path("behavior").asText())
        && !split.path("invert").asBoolean()
        && PATTERNS.contains(split.path("pattern").path("Regex").asText());
  }

  private static boolean isOfType(JsonNode node, String type) {
    return type.equals(node.path("type").asText());
  }

  private static boolean isAsciiLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }
}
