package org.lengthwise.training.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.lengthwise.training.checkpoint.GuardState;
import org.lengthwise.training.config.LoopConfig;

class DivergenceGuardTest {
  private final DivergenceGuard guard =
      new DivergenceGuard(new LoopConfig.Guard(3, 2, LoopConfig.Guard.Action.STOP, 0.5));

  private GuardState after(double... losses) {
    GuardState state = GuardState.initial();
    for (double loss : losses) {
      state = guard.next(state, loss);
    }
    return state;
  }

  @Test
  void lossThatIsNotFiniteIsObjectedToFromTheFirstStep() {
    assertThat(guard.objection(after(), Double.NaN)).contains("the loss is NaN");
    assertThat(guard.objection(after(), Double.POSITIVE_INFINITY)).contains("the loss is Infinity");
  }

  @Test
  void jumpIsMeasuredAgainstTheMedianOfTheLatestLosses() {
    GuardState state = after(100, 4, 3, 50); // the median of 4, 3 and 50
    assertThat(guard.objection(state, 8)).isEmpty();
    assertThat(guard.objection(state, 8.01))
        .contains(
            "the loss is 8.0100, more than 2.0 times the median 4.0000 of the 3 steps before");
  }

  @Test
  void nothingIsAJumpBeforeThereAreEnoughLosses() {
    assertThat(guard.objection(after(1, 1), 1000)).isEmpty();
  }
}
