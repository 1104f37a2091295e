package org.lengthwise.recall;

import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import org.lengthwise.config.Checks;

/**
 * What is known of a task without drawing a string.
 *
 * @param vocabulary V
 * @param chance the share of right tokens of a guess
 * @param baselines the rules without a long memory that a model is compared with
 */
public record Form(
    String about,
    int vocabulary,
    double chance,
    IntPredicate has,
    IntUnaryOperator tokens,
    List<Baseline> baselines) {

  /** Requires the shortest and the longest length of strings that a task has. */
  static List<Integer> range(List<Integer> lengths, IntPredicate has, String expected) {
    Checks.require(
        lengths.size() == 2
            && lengths.get(0) <= lengths.get(1)
            && lengths.stream().allMatch(has::test),
        "lengths",
        "the shortest and the longest length, " + expected,
        lengths);
    return List.copyOf(lengths);
  }
}
