package org.lengthwise.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Damaged copies of a file with JSON in it, as unfinished downloads and odd software leave them.
 */
public final class Mutants {
  private static final int DEEP = 100_000;
  private static final Pattern VALUE =
      Pattern.compile("-?\\d[\\d.eE+-]*+|true|false|null|\"[^\"]*+\"|\\[[^\\[\\]]*+]");

  private static final List<String> VALUES =
      List.of(
          "-1",
          "0",
          "1",
          "0.5",
          "-0.0",
          "1e400",
          "-1e-400",
          "2147483647",
          "2147483648",
          "-9223372036854775808",
          "99999999999999999999",
          "9".repeat(5000),
          "null",
          "true",
          "\"\"",
          "\"x\"",
          "\"\\ud800\"",
          "\"" + "k".repeat(60_000) + "\"",
          "[]",
          "{}",
          "[[[1]], {\"a\": {}}]",
          "[".repeat(DEEP),
          "[".repeat(DEEP) + "]".repeat(DEEP),
          "{\"a\":".repeat(DEEP) + "1" + "}".repeat(DEEP),
          "NaN");

  private static final List<BiFunction<String, Random, String>> CHANGES =
      List.of(
          Mutants::replaceValue,
          Mutants::replaceValue,
          Mutants::replaceValue,
          Mutants::swapValues,
          Mutants::flip,
          Mutants::cut,
          Mutants::duplicate,
          Mutants::delete,
          Mutants::insert);

  private Mutants() {}

  /** A copy with one to three changes, which depend on the seed. */
  public static byte[] of(byte[] original, long seed) {
    Random random = new Random(seed);
    String text = new String(original, ISO_8859_1);
    for (int change = random.nextInt(3); change >= 0; change--) {
      text = CHANGES.get(random.nextInt(CHANGES.size())).apply(text, random);
    }
    return text.getBytes(ISO_8859_1);
  }

  /** A value, or a key, in place of another. */
  private static String replaceValue(String text, Random random) {
    List<MatchResult> values = VALUE.matcher(text).results().toList();
    return values.isEmpty()
        ? text
        : replaced(text, any(values, random), VALUES.get(random.nextInt(VALUES.size())));
  }

  private static String swapValues(String text, Random random) {
    List<MatchResult> values = VALUE.matcher(text).results().toList();
    return values.isEmpty()
        ? text
        : replaced(text, any(values, random), any(values, random).group());
  }

  private static MatchResult any(List<MatchResult> values, Random random) {
    return values.get(random.nextInt(values.size()));
  }

  private static String replaced(String text, MatchResult value, String by) {
    return text.substring(0, value.start()) + by + text.substring(value.end());
  }

  private static String flip(String text, Random random) {
    byte[] bytes = text.getBytes(ISO_8859_1);
    if (bytes.length > 0) {
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return new String(bytes, ISO_8859_1);
  }

  private static String cut(String text, Random random) {
    return text.substring(0, random.nextInt(text.length() + 1));
  }

  private static String duplicate(String text, Random random) {
    int[] ends = part(text, random);
    return text.substring(0, ends[1]) + text.substring(ends[0]);
  }

  private static String delete(String text, Random random) {
    int[] ends = part(text, random);
    return text.substring(0, ends[0]) + text.substring(ends[1]);
  }

  private static String insert(String text, Random random) {
    byte[] bytes = new byte[1 + random.nextInt(20)];
    random.nextBytes(bytes);
    int at = random.nextInt(text.length() + 1);
    return text.substring(0, at) + new String(bytes, ISO_8859_1) + text.substring(at);
  }

  /** The ends of a part. */
  private static int[] part(String text, Random random) {
    int[] ends = {random.nextInt(text.length() + 1), random.nextInt(text.length() + 1)};
    Arrays.sort(ends);
    return ends;
  }
}
