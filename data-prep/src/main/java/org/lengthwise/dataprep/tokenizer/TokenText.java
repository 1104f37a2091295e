package org.lengthwise.dataprep.tokenizer;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.lengthwise.dataprep.tokenizer.FileTokens.Token;

/**
 * The sizes in bytes of the texts that the tokens of a {@code tokenizer.json} stand for.
 *
 * <p>A byte-level vocabulary writes each byte as one character, as GPT-2 does: printable Latin-1 as
 * itself, the other 68 bytes from U+0100 on. Other vocabularies write texts: {@code ▁} is a space,
 * {@code <0xNN>} a byte, and the prefix of word pieces, such as {@code ##}, is no text. Added
 * tokens are written as texts in both. Special tokens stand for no text.
 */
final class TokenText {
  private static final String SPACE = "\u2581";
  private static final Pattern BYTE = Pattern.compile("<0x[0-9A-Fa-f]{2}>");

  private final boolean isByteLevel;
  private final String prefix;
  private final int[] numBytes;

  TokenText(JsonNode root, FileTokens tokens, Set<String> special) {
    isByteLevel =
        Stream.of("decoder", "pre_tokenizer")
            .flatMap(part -> root.path(part).findValuesAsText("type").stream())
            .anyMatch("ByteLevel"::equals);
    prefix = root.path("model").path("continuing_subword_prefix").asText("");
    numBytes = new int[tokens.vocabularySize()];
    tokens.vocabulary().forEach(token -> set(token, size(token.content()), special));
    tokens.added().forEach(token -> set(token, utf8(token.content()), special));
  }

  private void set(Token token, int size, Set<String> special) {
    numBytes[token.id()] = special.contains(token.content()) ? 0 : size;
  }

  /** The number of bytes of text of an id; 0 if no token has the id. */
  int numBytes(int id) {
    return numBytes[id];
  }

  private int size(String token) {
    if (isByteLevel && token.chars().allMatch(TokenText::isByte)) {
      return token.length();
    }
    if (BYTE.matcher(token).matches()) {
      return 1;
    }
    boolean continues = !prefix.isEmpty() && token.startsWith(prefix);
    return utf8((continues ? token.substring(prefix.length()) : token).replace(SPACE, " "));
  }

  private static boolean isByte(int character) {
    return (character >= '!' && character <= '~')
        || (character >= 0xA1 && character <= 0xAC)
        || (character >= 0xAE && character <= 0x143);
  }

  private static int utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
