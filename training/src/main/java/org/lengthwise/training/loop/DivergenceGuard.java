package org.lengthwise.training.loop;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.lengthwise.training.checkpoint.GuardState;
import org.lengthwise.training.config.LoopConfig;

/** Tells a loss that a healthy run can have from one that shows it to diverge. */
record DivergenceGuard(LoopConfig.Guard config) {

  /** What is wrong with the loss of the step after a state, or nothing. */
  Optional<String> objection(GuardState before, double loss) {
    if (!Double.isFinite(loss)) {
      return Optional.of("the loss is " + loss);
    }
    OptionalDouble median = before.median(config.window());
    if (median.isPresent() && loss > config.jump() * median.getAsDouble()) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "the loss is %.4f, more than %s times the median %.4f of the %d steps before",
              loss,
              config.jump(),
              median.getAsDouble(),
              config.window()));
    }
    return Optional.empty();
  }

  /** What the guard knows after a step that it did not object to. */
  GuardState next(GuardState before, double loss) {
    return before.next(loss, config.window());
  }
}
