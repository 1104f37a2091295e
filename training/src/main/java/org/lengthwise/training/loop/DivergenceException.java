package org.lengthwise.training.loop;

/** A loss or a gradient that shows a run to diverge: it stops before it damages the weights. */
public final class DivergenceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long step;
  private final String what;

  /**
   * Names the step and the way back.
   *
   * @param step the step that diverged, counted from 1
   * @param what what was not finite, or too large, and at which learning rate
   * @param lastGood where the last good checkpoint lies, or that there is none
   * @param next what the user can do about it
   */
  public DivergenceException(long step, String what, String lastGood, String next) {
    super(
        "step %d: %s; the weights before it are untouched, the last good checkpoint is %s; %s"
            .formatted(step, what, lastGood, next));
    this.step = step;
    this.what = what;
  }

  /** The step that diverged, counted from 1. */
  long step() {
    return step;
  }

  /** How it showed. */
  String what() {
    return what;
  }
}
