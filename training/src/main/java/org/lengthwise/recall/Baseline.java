package org.lengthwise.recall;

/** A rule without a long memory, as a baseline. */
public record Baseline(String name, Rule rule) {
  /** How far back a baseline with a window sees, in tokens with its own. */
  static final int WINDOW = 32;

  @FunctionalInterface
  public interface Rule {
    /**
     * {@return the prediction at a position with a target}
     *
     * @param string the string; a rule reads its later ids for nothing but its answers' places
     */
    int at(RecallString string, int t);
  }

  /** Knows every answer whose place its window holds, and guesses otherwise. */
  static Baseline window(int guess) {
    return new Baseline(
        "a window of " + WINDOW,
        (string, t) -> string.distance()[t] < WINDOW ? string.targets()[t] : guess);
  }
}
