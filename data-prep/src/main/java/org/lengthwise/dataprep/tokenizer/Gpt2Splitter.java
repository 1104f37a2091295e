package org.lengthwise.dataprep.tokenizer;

/**
 * Splits a text into the pieces that GPT-2 encodes separately.
 *
 * <p>Pieces are the successive matches of the published pattern:
 *
 * <pre>'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+</pre>
 *
 * <p>A piece is a contraction; or a run of letters, numbers or other characters, with at most one
 * space before the run; or a run of white space, without its last character if more text follows.
 * Each character is in exactly one piece.
 */
final class Gpt2Splitter {

  private final CharacterClasses classes;

  Gpt2Splitter(CharacterClasses classes) {
    this.classes = classes;
  }

  /** {@return the index after the piece that begins at {@code start}} */
  int endOfPiece(byte[] utf8, int start) {
    byte first = utf8[start];
    if (first == '\'') {
      int length = contractionLength(utf8, start);
      if (length > 0) {
        return start + length;
      }
    } else if (first == ' ' && start + 1 < utf8.length) {
      byte next = classAt(utf8, start + 1);
      if (next != CharacterClasses.SPACE) {
        return endOfRun(utf8, start + 1, next);
      }
    }
    byte own = classAt(utf8, start);
    int end = endOfRun(utf8, start, own);
    if (own != CharacterClasses.SPACE || end == utf8.length) {
      return end;
    }
    int last = startOfCharacterBefore(utf8, end);
    return last > start ? last : end;
  }

  /**
   * The length of the contraction at an apostrophe; 0 if there is none. Capital letters form none.
   */
  private static int contractionLength(byte[] utf8, int apostrophe) {
    byte first = apostrophe + 1 < utf8.length ? utf8[apostrophe + 1] : 0;
    byte second = apostrophe + 2 < utf8.length ? utf8[apostrophe + 2] : 0;
    return switch (first) {
      case 's', 't', 'm', 'd' -> 2;
      case 'r', 'v' -> second == 'e' ? 3 : 0;
      case 'l' -> second == 'l' ? 3 : 0;
      default -> 0;
    };
  }

  private int endOfRun(byte[] utf8, int start, byte characterClass) {
    int at = start;
    while (at < utf8.length && classAt(utf8, at) == characterClass) {
      at += lengthAt(utf8, at);
    }
    return at;
  }

  private byte classAt(byte[] utf8, int at) {
    byte first = utf8[at];
    return classes.of(first >= 0 ? first : codePointAt(utf8, at));
  }

  private static int lengthAt(byte[] utf8, int at) {
    byte first = utf8[at];
    return first >= 0 ? 1 : Integer.numberOfLeadingZeros(~(first << 24));
  }

  private static int codePointAt(byte[] utf8, int at) {
    int length = lengthAt(utf8, at);
    int codePoint = utf8[at] & (0x7F >> length);
    for (int i = 1; i < length; i++) {
      codePoint = codePoint << 6 | (utf8[at + i] & 0x3F);
    }
    return codePoint;
  }

  private static int startOfCharacterBefore(byte[] utf8, int end) {
    int at = end - 1;
    while ((utf8[at] & 0xC0) == 0x80) {
      at--;
    }
    return at;
  }
}
