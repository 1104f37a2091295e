package org.lengthwise.dataprep.tokenizer;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * GPT-2's ranks written as a Hugging Face {@code tokenizer.json}.
 *
 * <p>A token's merge is derived by encoding its bytes with the lower ranks: the result is the two
 * parts of the token.
 */
final class RanksAsTokenizerJson {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Map<String, Integer> ranks = new HashMap<>();
  private final char[] shownAs = shownBytes();

  /** The content of the file, with {@code <|endoftext|>} as a special added token. */
  static byte[] write() throws IOException {
    return new RanksAsTokenizerJson().json();
  }

  private byte[] json() throws IOException {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("version", "1.0");
    ObjectNode endOfText = root.putArray("added_tokens").addObject();
    endOfText.put("id", 50256).put("content", "<|endoftext|>").put("special", true);
    endOfText.put("single_word", false).put("lstrip", false).put("rstrip", false);
    endOfText.put("normalized", false);
    putByteLevel(root.putObject("pre_tokenizer"));
    putByteLevel(root.putObject("post_processor"));
    putByteLevel(root.putObject("decoder"));
    ObjectNode model = root.putObject("model").put("type", "BPE");
    ObjectNode vocabulary = model.putObject("vocab");
    ArrayNode merges = model.putArray("merges");
    String lines = new String(Gpt2Tokenizer.ranks(), StandardCharsets.US_ASCII);
    lines
        .lines()
        .forEach(
            line -> {
              int space = line.indexOf(" ");
              String token = shown(Base64.getDecoder().decode(line.substring(0, space)));
              if (token.length() > 1) {
                List<String> pair = partsOf(token);
                merges.add(pair.get(0) + " " + pair.get(1));
              }
              ranks.put(token, Integer.parseInt(line.substring(space + 1)));
              vocabulary.put(token, Integer.parseInt(line.substring(space + 1)));
            });
    vocabulary.put("<|endoftext|>", 50256);
    return MAPPER.writeValueAsBytes(root);
  }

  private static void putByteLevel(ObjectNode node) {
    node.put("type", "ByteLevel").put("add_prefix_space", false).put("trim_offsets", true);
  }

  /** Merges by rank, lowest first, until two parts are left. Only lower ranks are in the table. */
  private List<String> partsOf(String token) {
    List<String> parts = new ArrayList<>();
    token.chars().forEach(c -> parts.add(String.valueOf((char) c)));
    while (parts.size() > 2) {
      int best = -1;
      int bestRank = Integer.MAX_VALUE;
      for (int i = 0; i + 1 < parts.size(); i++) {
        int rank = ranks.getOrDefault(parts.get(i) + parts.get(i + 1), Integer.MAX_VALUE);
        if (rank < bestRank) {
          bestRank = rank;
          best = i;
        }
      }
      parts.set(best, parts.get(best) + parts.remove(best + 1));
    }
    return parts;
  }

  private String shown(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte b : bytes) {
      text.append(shownAs[Byte.toUnsignedInt(b)]);
    }
    return text.toString();
  }

  /** Byte-level tokenizers write printable Latin-1 as itself and other bytes from U+0100 on. */
  static char[] shownBytes() {
    char[] shown = new char[256];
    int next = 0x100;
    for (int b = 0; b < 256; b++) {
      boolean printable =
          (b >= '!' && b <= '~') || (b >= 0xA1 && b <= 0xAC) || (b >= 0xAE && b <= 0xFF);
      shown[b] = (char) (printable ? b : next++);
    }
    return shown;
  }
}
