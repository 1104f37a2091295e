package org.lengthwise.recall;

import java.util.Random;
import java.util.stream.IntStream;

/**
 * Strings {@code BOS x SEP y} with y = x, or x reversed. Every token of y is asked, and then EOS.
 * Letters are 0..25.
 */
record Copying(boolean reversed) {
  private static final int LETTERS = 26;
  private static final int BOS = 26;
  private static final int SEP = 27;
  private static final int EOS = 28;

  int[] draw(int length, Random random) {
    int[] ids = new int[2 * length + 2];
    ids[0] = BOS;
    ids[length + 1] = SEP;
    for (int i = 1; i <= length; i++) {
      ids[i] = random.nextInt(LETTERS);
      ids[length + 1 + (reversed ? length + 1 - i : i)] = ids[i];
    }
    return ids;
  }

  RecallString label(int[] ids) {
    Answers answers = new Answers(ids);
    int length = ids.length / 2 - 1;
    answers.require(ids.length % 2 == 0 && length >= 1, ids.length, "an even length of at least 4");
    answers.require(BOS, 0, "BOS");
    answers.require(SEP, length + 1, "SEP");
    for (int i = 1; i <= length; i++) {
      int place = place(i, length);
      answers.require(answers.isIn(i, 0, LETTERS), i, "a letter");
      answers.require(
          ids[length + 1 + i] == ids[place], length + 1 + i, "the letter at ids[" + place + "]");
      answers.ask(length + i, ids[place], place);
    }
    answers.ask(2 * length + 1, EOS, place(length + 1, length));
    return answers.string();
  }

  /** The place of the i-th answer; that of EOS is SEP, or BOS. */
  private int place(int i, int length) {
    return reversed ? length + 1 - i : i;
  }

  Form form(String about) {
    return new Form(
        about,
        EOS + 1,
        1.0 / LETTERS,
        length -> length >= 1,
        length -> 2 * length + 2,
        IntStream.rangeClosed(1, 3)
            .mapToObj(n -> new Baseline("lookup of " + n, (read, t) -> lookup(read.ids(), t, n)))
            .toList());
  }

  /**
   * The token after the first place in x that holds the last n tokens, the start mark included; the
   * algorithm that Jelassi et al. 2024 find in transformers.
   */
  private int lookup(int[] ids, int t, int n) {
    int length = ids.length / 2 - 1;
    int read = t - length; // tokens after and with SEP
    int context = Math.min(n, read);
    for (int end = context - 1; end <= length; end++) {
      int same = 0;
      while (same < context && equal(ids, length, end - same, t - same)) {
        same++;
      }
      if (same == context) {
        return end == length ? EOS : ids[place(end + 1, length)];
      }
    }
    return RecallString.NONE;
  }

  /** Whether the i-th token of x in the order of the answers, from BOS, is the token at t. */
  private boolean equal(int[] ids, int length, int i, int t) {
    return i == 0 ? ids[t] == SEP : ids[place(i, length)] == ids[t];
  }
}
