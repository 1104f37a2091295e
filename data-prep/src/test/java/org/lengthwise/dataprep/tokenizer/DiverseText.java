package org.lengthwise.dataprep.tokenizer;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Texts that tokenizers tend to differ on: many scripts, white space, runs, control characters. */
final class DiverseText {

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
          "I'll we're they'VE 'S 'T ’s");

  private static final int[] RANGES = {
    0x20, 0x7E, 0x09, 0x0D, 0xA0, 0x17F, 0x300, 0x36F, 0x400, 0x45F, 0x4E00, 0x4FFF, 0x1F600,
    0x1F64F, 0x2000, 0x206F, 0x0, 0x1F, 0x1D400, 0x1D4FF
  };

  private DiverseText() {}

  /** The chosen texts and as many random ones, which depend on the seed alone. */
  static List<String> samples(long seed) {
    Random random = new Random(seed);
    List<String> samples = new ArrayList<>(CHOSEN);
    for (int i = 0; i < 50; i++) {
      StringBuilder text = new StringBuilder();
      int length = 1 + random.nextInt(400);
      for (int k = 0; k < length; k++) {
        int range = 2 * random.nextInt(RANGES.length / 2);
        int span = RANGES[range + 1] - RANGES[range] + 1;
        text.appendCodePoint(RANGES[range] + random.nextInt(span));
      }
      samples.add(text.toString());
    }
    return samples;
  }
}
