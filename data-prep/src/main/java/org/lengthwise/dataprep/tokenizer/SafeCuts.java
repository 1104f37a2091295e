package org.lengthwise.dataprep.tokenizer;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/**
 * Positions where a long text may be split so that its parts have the ids of the whole text:
 * between an ASCII letter and the space or line feed after the letter.
 *
 * <p>This holds for tokenizers that split a text by one of the patterns below, encode each piece
 * separately, do not search the text for added tokens, and normalise at most to NFC. In each
 * pattern a piece that contains letters ends after the letters, so a piece ends at the cut. The
 * pieces after the cut are unchanged, because no pattern looks behind. The pieces before the cut
 * are unchanged, because only white space looks ahead, and the last character before the cut is a
 * letter. NFC does not combine characters across the cut.
 */
final class SafeCuts {

  private static final String GPT2 =
      "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

  /** GPT-4 and Llama 3: numbers of up to three digits. */
  private static final String THREE_DIGITS =
      "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}"
          + "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

  /** Qwen 2: single digits. */
  private static final String ONE_DIGIT = THREE_DIGITS.replace("{1,3}", "");

  static final Set<String> PATTERNS = Set.of(GPT2, THREE_DIGITS, ONE_DIGIT);

  private SafeCuts() {}

  static boolean allowedBy(JsonNode root) {
    return atMostNfc(root.path("normalizer"))
        && root.path("added_tokens").isEmpty()
        && cutsByPattern(root.path("pre_tokenizer"));
  }

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
