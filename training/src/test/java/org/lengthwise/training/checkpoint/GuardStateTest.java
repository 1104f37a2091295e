package org.lengthwise.training.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.lengthwise.training.config.LoopConfig;

class GuardStateTest {
  private static final LoopConfig.Guard GUARD =
      new LoopConfig.Guard(3, 2, LoopConfig.Guard.Action.STOP, 0.5);

  private static GuardState after(double... losses) {
    GuardState state = GuardState.initial();
    for (double loss : losses) {
      state = state.next(loss, GUARD.window());
    }
    return state;
  }

  @Test
  void lossThatIsNotFiniteIsADivergenceFromTheFirstStep() {
    assertThat(after().objection(GUARD, Double.NaN)).contains("the loss is NaN");
    assertThat(after().objection(GUARD, Double.POSITIVE_INFINITY)).contains("the loss is Infinity");
  }

  @Test
  void jumpIsMeasuredAgainstTheMedianOfTheLatestLosses() {
    GuardState state = after(100, 4, 3, 50); // the median of 4, 3 and 50
    assertThat(state.objection(GUARD, 8)).isEmpty();
    assertThat(state.objection(GUARD, 8.01))
        .contains("the loss is 8.010, more than 2.0 times the median 4.000 of the last 3 steps");
  }

  @Test
  void lossesOfASolvedTaskAreRounding() {
    assertThat(after(0, 0, 0).objection(GUARD, 2e-7)).isEmpty();
    assertThat(after(0, 0, 0).objection(GUARD, 3e-7))
        .contains(
            "the loss is 3.000e-07, more than 2.0 times the median 0.000 of the last 3 steps");
  }

  @Test
  void noLossIsTooLargeBeforeTheWindowIsFull() {
    assertThat(after(1, 1).objection(GUARD, 1000)).isEmpty();
  }
}
