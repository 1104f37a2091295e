package org.lengthwise.dataprep.tokenizer;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Texts on which tokenizers often differ: many scripts, white space, runs, control characters. */
final class DiverseText {

  /** The seed of random tests; {@code -Dlengthwise.test.seed=} changes it. */
  static final long SEED = Long.getLong("lengthwise.test.seed", 20231206L);

  private static final List<String> CHOSEN =
      List.of(
          "The quick brown fox, it's said, couldn't've jumped 1234567 dogs (3.14e-10)!",
          "  leading\t\ttabs \n\n\n and   runs   of spaces   ",
          "line\r\nends\rof\u2028every\u2029kind\u0085",
          "naïve façade Ångström e\u0301 e\u0301\u0323 \u00A0no-break\u3000ideographic",
          "Привет, мир! 你好，世界。 こんにちは 안녕하세요 שלום عليكم नमस्ते สวัสดี",
          "😀👩‍👩‍👧‍👦🏳️‍🌈 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 \uD834\uDD1E",
          "<|endoftext|> is text here <|endoftext|><|endoftext|>",
          "\u0000\u0001\u001F\u007F\u0080\u009F\uFEFF\uFFFD\uFFFF",
          "a".repeat(3000),
          " ".repeat(777),
          "-=".repeat(500),
          "public static void main(String[] args) { return x -> x >>>= 1; } // ok\n".repeat(20),
          "²³¹¼½ ⅷ Ⅳ ٣٤ ๑๒ 1/2 2¹⁰",
          "I'll we're they'VE 'S 'T ’s",
          "letters of Unicode 14 to 16: x\u1C89y x\uA7DCy x\uD801\uDD70y x\uD803\uDD4Ay x\uD82B\uDFF0y",
          "numbers of Unicode 15 and 16: 1\uD803\uDD402 1\uD839\uDCF02 1\uD833\uDCF02");

  /** Characters of the splitting pattern, and similar characters that are not in it. */
  private static final List<String> FRAGMENTS =
      List.of(
          " ",
          "  ",
          "\n",
          "\r\n",
          "\t",
          "\u000B",
          "\u001C",
          "\u0085",
          "\u00A0",
          "\u1680",
          "\u180E",
          "\u2000",
          "\u200A",
          "\u200B",
          "\u2028",
          "\u2029",
          "\u202F",
          "\u205F",
          "\u2060",
          "\u3000",
          "\uFEFF",
          "'",
          "''",
          "'s",
          "'S",
          "'t",
          "'re",
          "'RE",
          "'r",
          "'ve",
          "'vE",
          "'m",
          "'ll",
          "'l",
          "'lL",
          "'d",
          "’s",
          "ſ",
          "'ſ",
          "K",
          "<|endoftext|>",
          "<|",
          "e\u0301",
          "\u0301",
          "\u20E3",
          "\u200D",
          "\uFE0F",
          "the",
          "The",
          "ing",
          "tion",
          "0",
          "42",
          "1,000",
          "\u0000",
          "\u007F");

  private static final int[] RANGES = {
    0x20, 0x7E, 0x09, 0x0D, 0xA0, 0x17F, 0x300, 0x36F, 0x400, 0x45F, 0x4E00, 0x4FFF, 0x1F600,
    0x1F64F, 0x2000, 0x206F, 0x0, 0x1F, 0x1D400, 0x1D4FF, 0x590, 0x1FFF, 0x2070, 0x2FFF, 0xA000,
    0xABFF, 0xE000, 0xFFFF, 0x10000, 0x1FFFF, 0x20000, 0x3FFFF, 0xE0000, 0x10FFFF
  };

  private DiverseText() {}

  /** The chosen texts and random texts, which depend only on the seed. */
  static List<String> samples(long seed) {
    Random random = new Random(seed);
    List<String> samples = new ArrayList<>(CHOSEN);
    for (int i = 0; i < 100; i++) {
      samples.add(random(random, 1 + random.nextInt(400)));
    }
    return samples;
  }

  /** Random characters and fragments. */
  private static String random(Random random, int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      if (random.nextInt(3) == 0) {
        text.append(FRAGMENTS.get(random.nextInt(FRAGMENTS.size())));
      } else {
        int range = 2 * random.nextInt(RANGES.length / 2);
        int span = RANGES[range + 1] - RANGES[range] + 1;
        text.appendCodePoint(RANGES[range] + random.nextInt(span));
      }
    }
    return text.toString();
  }
}
