package org.lengthwise.recall;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.lengthwise.config.Checks;

/**
 * Flip-flop: n instructions with a bit each; the answer to a read is the bit of the last write.
 * Ids: bits 0 and 1, ignore 2, write 3, read 4; the bit of the last read is not read, T = 2n - 1.
 * Source: Liu et al., "Exposing Attention Glitches with Flip-Flop Language Modeling", NeurIPS 2023.
 *
 * @param lengths the shortest and the longest training length n in instructions
 * @param p the probability of ignore, apart from the first write and the last read; write and read
 *     share the rest equally
 */
@JsonTypeName("flipflop")
public record FlipFlop(List<Integer> lengths, double p) implements DrawnTask {
  private static final int IGNORE = 2;
  private static final int WRITE = 3;
  private static final int READ = 4;

  public FlipFlop {
    lengths = Form.range(lengths, length -> length >= 2, "2 or more");
    Checks.within("p", p, 0, 1);
  }

  @Override
  public Form form() {
    return new Form(
        "the bit that was written last (Liu et al. 2023)",
        READ + 1,
        0.5,
        length -> length >= 2,
        length -> 2 * length - 1,
        List.of(
            new Baseline("the last bit", (string, t) -> string.ids()[t - 1]),
            new Baseline(
                "a window of %s instructions".formatted(Baseline.WINDOW), FlipFlop::latest)));
  }

  /** The bit of the latest earlier write or read in a window of instructions, or 0. */
  private static int latest(RecallString string, int t) {
    int[] ids = string.ids();
    for (int i = t - 2; i >= Math.max(0, t - 2 * Baseline.WINDOW); i -= 2) {
      if (ids[i] != IGNORE) {
        return ids[i + 1];
      }
    }
    return 0;
  }

  @Override
  public int[] draw(int length, Stream stream, Random random) {
    int[] ids = new int[2 * length];
    int written = 0;
    for (int i = 0; i < length; i++) {
      double u = random.nextDouble();
      int other = u < p + (1 - p) / 2 ? WRITE : READ;
      ids[2 * i] = i == 0 ? WRITE : i == length - 1 ? READ : u < p ? IGNORE : other;
      ids[2 * i + 1] = ids[2 * i] == READ ? written : random.nextInt(2);
      written = ids[2 * i] == WRITE ? ids[2 * i + 1] : written;
    }
    return Arrays.copyOf(ids, 2 * length - 1);
  }

  @Override
  public RecallString label(int[] ids) {
    Answers answers = new Answers(ids);
    int last = ids.length - 1;
    answers.require(last >= 2 && last % 2 == 0, ids.length, "an odd length of at least 3");
    answers.require(WRITE, 0, "write");
    answers.require(READ, last, "read");
    int place = 1;
    for (int t = 0; t <= last; t += 2) {
      answers.require(answers.isIn(t, IGNORE, READ + 1), t, "an instruction");
      answers.require(t == last || answers.isIn(t + 1, 0, 2), t + 1, "a bit");
      if (ids[t] == WRITE) {
        place = t + 1;
      } else if (ids[t] == READ) {
        answers.ask(t, ids[place], place);
        answers.require(t == last || ids[t + 1] == ids[place], t + 1, "the bit of the last write");
      }
    }
    return answers.string();
  }
}
