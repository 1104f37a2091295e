package org.lengthwise.recall;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;

/**
 * A string of m letters among noise, and its letters in order, T = L + 2 + m. Ids: letters 0..15,
 * noise 16, BOS 17, SEP 18, EOS 19. Source: Gu and Dao, "Mamba", 2023, with shorter strings and the
 * right earlier answers given.
 *
 * @param lengths the shortest and the longest training length L, letters and noise
 * @param letters m; absent for half of L, at least 1
 */
@JsonTypeName("selective_copy")
public record SelectiveCopy(
    List<Integer> lengths,
    @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Nullable Integer letters)
    implements DrawnTask {
  private static final int LETTERS = 16;
  private static final int NOISE = 16;
  private static final int BOS = 17;
  private static final int SEP = 18;
  private static final int EOS = 19;

  public SelectiveCopy {
    Integer fixed = letters;
    Checks.require(fixed == null || fixed >= 1, "letters", "at least 1", String.valueOf(fixed));
    lengths = Form.range(lengths, length -> length >= numLetters(fixed, length), "m or more");
  }

  @Override
  public Form form() {
    return new Form(
        "the letters of a string without its noise (Gu and Dao 2023)",
        EOS + 1,
        1.0 / LETTERS,
        length -> length >= numLetters(letters, length),
        length -> length + 2 + numLetters(letters, length),
        List.of(Baseline.window(0)));
  }

  private static int numLetters(@Nullable Integer letters, int length) {
    return letters == null ? Math.max(1, length / 2) : letters;
  }

  @Override
  public int[] draw(int length, Stream stream, Random random) {
    int[] ids = new int[numTokens(length)];
    ids[0] = BOS;
    ids[length + 1] = SEP;
    int open = numLetters(letters, length);
    for (int i = 1; i <= length; i++) {
      // A place is chosen with the share of open letters among open places, so all sets are equal.
      boolean isLetter = random.nextInt(length + 1 - i) < open;
      ids[i] = isLetter ? random.nextInt(LETTERS) : NOISE;
      if (isLetter) {
        ids[ids.length - open--] = ids[i];
      }
    }
    return ids;
  }

  @Override
  public RecallString label(int[] ids) {
    Answers answers = new Answers(ids);
    answers.require(BOS, 0, "BOS");
    int sep = 1;
    int found = 0;
    while (answers.isIn(sep, 0, NOISE + 1)) {
      found += ids[sep++] == NOISE ? 0 : 1;
    }
    answers.require(SEP, sep, "SEP, a letter or noise");
    int expected = numLetters(letters, sep - 1);
    answers.require(found == expected, sep, "SEP after as many letters: " + expected);
    int at = sep;
    for (int i = 1; i < sep; i++) {
      if (ids[i] != NOISE) {
        answers.require(ids[i], at + 1, "the next letter");
        answers.ask(at++, ids[i], i);
      }
    }
    answers.require(at == ids.length - 1, at + 1, "the end after the last letter");
    answers.ask(at, EOS, sep);
    return answers.string();
  }
}
