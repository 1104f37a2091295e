package org.lengthwise.measure.probe;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.error.ConfigException;
import org.lengthwise.random.RandomStreams;

/**
 * The prompts of a tokenizer: {@code filler needle filler question}.
 *
 * @param text the test split; null for repeated sentences
 * @param longest the longest T, so that all texts end at the same places
 */
record Prompts(Tokenizer tokenizer, @Nullable TokenStream text, int longest, long seed) {
  static final int NUM_KEYS = 10;
  private static final int NUM_DIGITS = 5;
  private static final String QUESTION = " The pass key is";
  private static final String SENTENCES =
      " The grass is green. The sky is blue. The sun is yellow. Here we go. There and back again.";

  /** The most tokens of a character, and tokens enough to see one. */
  private static final int MOST_IN_CHARACTER = 4;

  private static final int SEEN = 8;

  /**
   * A prompt.
   *
   * @param answers the tokens of each key, the right one first, all equally many
   */
  @SuppressWarnings("ArrayRecordComponent") // Read in loops, and never compared.
  record Prompt(int[] tokens, List<int[]> answers, List<String> keys) {}

  /** What the needle of a prompt holds. */
  enum Needle {
    /** The right key. */
    RIGHT,
    /** The second key. */
    OTHER,
    /** A key that is not among the ten. */
    CONTROL
  }

  /** The prompt of an index; T counts the answer without its last token, and BOS. */
  Prompt at(int length, double depth, int index, Needle needle, @Nullable Integer bos) {
    RandomStreams streams = new RandomStreams(seed);
    List<String> keys = keys(streams.stream("passkey/%s/%s/%s".formatted(length, depth, index)));
    List<int[]> answers = keys.stream().map(key -> tokenizer.encode(answer(key))).toList();
    int size = answers.get(0).length;
    if (answers.stream().anyMatch(answer -> answer.length != size)) {
      throw new ConfigException(
          "--protocol",
          "a tokenizer that has equally many tokens for all keys of five digits",
          tokenizer.name(),
          "measure models with another tokenizer");
    }
    String held = keys.get(needle == Needle.RIGHT ? 0 : needle == Needle.OTHER ? 1 : NUM_KEYS);
    int[] before = bos == null ? new int[0] : new int[] {bos};
    int[] question = tokenizer.encode(QUESTION);
    int[] needleTokens = tokenizer.encode(QUESTION + answer(held) + ".");
    int room = length - (size - 1) - before.length - question.length - needleTokens.length;
    if (room < 0) {
      throw new ConfigException(
          "--lengths",
          "at least %s tokens, for needle, question and answer".formatted(length - room),
          String.valueOf(length),
          "request longer lengths");
    }
    int[] filler = filler(streams, index, room);
    int at = cut(filler, (int) Math.floor(depth * room + 0.5));
    int[] tokens =
        join(
            before,
            Arrays.copyOf(filler, at),
            needleTokens,
            Arrays.copyOfRange(filler, at, room),
            question);
    return new Prompt(tokens, answers.subList(0, NUM_KEYS), keys.subList(0, NUM_KEYS));
  }

  private static String answer(String key) {
    return key.chars().mapToObj(Character::toString).collect(Collectors.joining(" ", " ", ""));
  }

  /** Ten different keys, and the one of the control. */
  private static List<String> keys(Random random) {
    Set<String> keys = new LinkedHashSet<>();
    while (keys.size() <= NUM_KEYS) {
      keys.add(
          IntStream.range(0, NUM_DIGITS)
              .mapToObj(i -> String.valueOf(random.nextInt(10)))
              .collect(Collectors.joining()));
    }
    return List.copyOf(keys);
  }

  /** A text of a prompt ends at the same place of the split for all lengths. */
  private int[] filler(RandomStreams streams, int index, int room) {
    if (text == null) {
      int[] sentences = tokenizer.encode(SENTENCES);
      return IntStream.range(0, room).map(i -> sentences[i % sentences.length]).toArray();
    }
    if (text.numTokens() <= longest) {
      throw new ConfigException(
          "--lengths",
          "less than the %s tokens of the test split".formatted(text.numTokens()),
          String.valueOf(longest),
          "request shorter lengths, or prepare more text");
    }
    long end =
        longest + streams.stream("passkey/text/" + index).nextLong(text.numTokens() - longest);
    int[] filler = new int[room];
    text.read(end - room, filler, 0, room);
    return filler;
  }

  /** The place, or an earlier one that is not inside a character. */
  private int cut(int[] filler, int place) {
    int at = place;
    while (at > 0 && place - at < MOST_IN_CHARACTER && isInside(filler, at)) {
      at--;
    }
    return at;
  }

  private boolean isInside(int[] filler, int at) {
    return tokenizer
        .decode(Arrays.copyOfRange(filler, Math.max(0, at - SEEN), at))
        .endsWith("\uFFFD");
  }

  static int[] join(int[]... parts) {
    return Arrays.stream(parts).flatMapToInt(Arrays::stream).toArray();
  }
}
