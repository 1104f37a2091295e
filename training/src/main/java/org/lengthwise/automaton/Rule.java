package org.lengthwise.automaton;

import java.util.function.Predicate;

/**
 * A rule that tells strings of a language from others without the states of its automaton. Its
 * accuracy shows how much of a score needs no automaton.
 *
 * @param holds whether a string satisfies the rule, which then gives it the label 1
 */
public record Rule(String name, Predicate<int[]> holds) {

  /** Balanced brackets have both symbols equally often. */
  static Rule equallyMany() {
    return new Rule("as many 0 as 1", Rule::isEven);
  }

  static Rule equallyManyBetweenEnds() {
    return new Rule("as many 0 as 1, first 0, last 1", ids -> isEven(ids) && hasEnds(ids));
  }

  /** In brackets of a depth no run is longer than the depth. */
  static Rule shortRuns(int depth) {
    return new Rule(
        "first 0, last 1, no run longer than " + depth,
        ids -> hasEnds(ids) && longestRun(ids) <= depth);
  }

  static Rule fewRuns(int most) {
    return new Rule("at most %s runs".formatted(most), ids -> numRuns(ids) <= most);
  }

  public int label(int[] ids) {
    return holds.test(ids) ? 1 : 0;
  }

  private static boolean isEven(int[] ids) {
    int ones = 0;
    for (int id : ids) {
      ones += id;
    }
    return 2 * ones == ids.length;
  }

  private static boolean hasEnds(int[] ids) {
    return ids[0] == 0 && ids[ids.length - 1] == 1;
  }

  private static int longestRun(int[] ids) {
    int longest = 1;
    int run = 1;
    for (int t = 1; t < ids.length; t++) {
      run = ids[t] == ids[t - 1] ? run + 1 : 1;
      longest = Math.max(longest, run);
    }
    return longest;
  }

  private static int numRuns(int[] ids) {
    int runs = 1;
    for (int t = 1; t < ids.length; t++) {
      runs += ids[t] == ids[t - 1] ? 0 : 1;
    }
    return runs;
  }
}
