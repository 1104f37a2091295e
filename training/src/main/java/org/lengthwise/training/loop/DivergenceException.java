package org.lengthwise.training.loop;

/** A run diverges. It stops before the weights are updated. */
public final class DivergenceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long step;

  private final String what;

  /**
   * Names the step and what the user can do.
   *
   * @param step the step that diverged, from 1
   * @param what the number that was not finite or too large, and the learning rate
   */
  public DivergenceException(long step, String what, String lastGood, String next) {
    super(
        "step %s: %s; the weights were not updated; the last good checkpoint is %s; %s"
            .formatted(step, what, lastGood, next));
    this.step = step;
    this.what = what;
  }

  long step() {
    return step;
  }

  String what() {
    return what;
  }
}
