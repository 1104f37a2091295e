package org.lengthwise.recall;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import java.util.Random;

/**
 * Induction heads: letters with one special token, which also ends the string; the answer is the
 * token that followed it. Ids: letters 0..15, special 16. Source: Gu and Dao, "Mamba", 2023.
 *
 * @param lengths the shortest and the longest training length T
 */
@JsonTypeName("induction")
public record Induction(List<Integer> lengths) implements DrawnTask {
  private static final int LETTERS = 16;
  private static final int SPECIAL = 16;

  public Induction {
    lengths = Form.range(lengths, length -> length >= 3, "3 or more");
  }

  @Override
  public Form form() {
    return new Form(
        "the token that followed a special token (Gu and Dao 2023)",
        SPECIAL + 1,
        1.0 / LETTERS,
        length -> length >= 3,
        length -> length,
        List.of(Baseline.window(0)));
  }

  @Override
  public int[] draw(int length, Stream stream, Random random) {
    int[] ids = Answers.uniform(length, LETTERS, random);
    ids[random.nextInt(length - 2)] = SPECIAL;
    ids[length - 1] = SPECIAL;
    return ids;
  }

  @Override
  public RecallString label(int[] ids) {
    Answers answers = new Answers(ids);
    int last = ids.length - 1;
    answers.require(ids.length >= 3, ids.length, "at least 3 ids");
    answers.require(SPECIAL, last, "the special token at the end");
    int first = -1;
    for (int t = 0; t < last; t++) {
      boolean isFirst = ids[t] == SPECIAL && first < 0 && t < last - 1;
      answers.require(isFirst || answers.isIn(t, 0, LETTERS), t, "a letter");
      first = isFirst ? t : first;
    }
    answers.require(first >= 0, last, "an earlier special token");
    answers.ask(last, ids[first + 1], first + 1);
    return answers.string();
  }
}
