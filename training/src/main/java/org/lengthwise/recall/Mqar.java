package org.lengthwise.recall;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.lengthwise.config.Checks;

/**
 * Multi-query associative recall: pairs of a key and a value, then the keys in another order among
 * fillers; the answer to a key is its value. Source: Arora et al., "Zoology", ICLR 2024. Ids: keys
 * 0..K-1, values K..2K-1, fillers 2K..2K+F-1. The T - 2N positions after N pairs are S slots of two
 * positions; the queries are drawn without replacement, slot g with the weight (g + 1)^(a - 1).
 *
 * @param lengths the shortest and the longest training length T, both even
 * @param keys K
 * @param pairs N of a measurement; in training each string draws its own, up to N and T/4
 * @param a the exponent of the power law; 1 is uniform, and a small one prefers near queries
 * @param fillers F
 */
@JsonTypeName("mqar")
public record Mqar(List<Integer> lengths, int keys, int pairs, double a, int fillers)
    implements DrawnTask {

  public Mqar {
    lengths = Form.range(lengths, Mqar::has, "even, 4 or more");
    Checks.atLeast("keys", keys, 1);
    Checks.require(1 <= pairs && pairs <= keys, "pairs", "1 to " + keys + ", the keys", pairs);
    Checks.require(a > 0 && a <= 1, "a", "above 0, at most 1", a);
    Checks.atLeast("fillers", fillers, 1);
  }

  private static boolean has(int length) {
    return length >= 4 && length % 2 == 0;
  }

  @Override
  public Form form() {
    return new Form(
        "the values of keys that were given as pairs (MQAR; Arora et al. 2023)",
        2 * keys + fillers,
        1.0 / keys,
        Mqar::has,
        length -> length,
        List.of(new Baseline("any of the N values", (string, t) -> string.ids()[1])));
  }

  @Override
  public ObjectNode settings(ObjectNode general, RecallString string) {
    long queries = Arrays.stream(string.targets()).filter(id -> id != RecallString.NONE).count();
    return general.deepCopy().put("pairs", (int) queries);
  }

  @Override
  public int[] draw(int length, Stream stream, Random random) {
    int most = Math.min(pairs, length / 4);
    Checks.require(
        stream != Stream.TEST || most == pairs,
        "length",
        "at least %s, 4 for each of %s pairs".formatted(4 * pairs, pairs),
        length);
    int n = stream == Stream.TEST ? pairs : 1 + random.nextInt(most);
    int[] key = Answers.different(n, keys, random);
    int[] value = Answers.different(n, keys, random);
    int[] ids = new int[length];
    for (int i = 0; i < n; i++) {
      ids[2 * i] = key[i];
      ids[2 * i + 1] = keys + value[i];
    }
    for (int t = 2 * n; t < length; t++) {
      ids[t] = 2 * keys + (fillers == 1 ? 0 : random.nextInt(fillers));
    }
    int[] slot = slots(n, (length - 2 * n) / 2, random);
    for (int i = 0; i < n; i++) {
      ids[2 * n + 2 * slot[i]] = key[i];
    }
    return ids;
  }

  /**
   * N of S slots in the order of the draws. The least of e_g / weight_g, with exponential e_g, are
   * draws without replacement (Efraimidis and Spirakis 2006).
   */
  private int[] slots(int n, int numSlots, Random random) {
    int[] best = new int[n];
    double[] time = new double[n + 1];
    int found = 0;
    for (int g = 0; g < numSlots; g++) {
      double own = -Math.log(1 - random.nextDouble()) * Math.pow(g + 1, 1 - a);
      int at = found;
      while (at > 0 && time[at - 1] > own) {
        at--;
      }
      if (at < n) {
        int moved = Math.min(found, n - 1) - at;
        System.arraycopy(time, at, time, at + 1, moved);
        System.arraycopy(best, at, best, at + 1, moved);
        time[at] = own;
        best[at] = g;
        found = Math.min(n, found + 1);
      }
    }
    return best;
  }

  @Override
  public RecallString label(int[] ids) {
    Answers answers = new Answers(ids);
    int[] valueAt = new int[keys]; // the place of each key's value; 0 for a key without a pair
    boolean[] used = new boolean[keys];
    int n = 0;
    while (answers.isIn(2 * n + 1, keys, 2 * keys)) {
      int t = 2 * n++;
      answers.require(answers.isIn(t, 0, keys) && valueAt[ids[t]] == 0, t, "a new key");
      answers.require(!used[ids[t + 1] - keys], t + 1, "a new value");
      used[ids[t + 1] - keys] = true;
      valueAt[ids[t]] = t + 1;
    }
    answers.require(n > 0, 1, "the value of a key");
    answers.require(
        has(ids.length) && ids.length >= 4 * n, ids.length, "an even length of 4 N at least");
    int open = n;
    for (int t = 2 * n; t < ids.length; t++) {
      if (answers.isIn(t, 0, keys)) {
        int place = valueAt[ids[t]];
        answers.require(t % 2 == 0 && place > 0, t, "a filler, or a key of a pair in a slot");
        answers.ask(t, ids[place], place);
        valueAt[ids[t]] = 0; // each key is asked once
        open--;
      } else {
        answers.require(answers.isIn(t, 2 * keys, form().vocabulary()), t, "a key or a filler");
      }
    }
    answers.require(open == 0, ids.length, "a query for each pair");
    return answers.string();
  }
}
