package org.lengthwise.result;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a trial of a random search.
 *
 * @param run the name of the runs whose settings are searched
 * @param trial the number of the trial, from 1
 * @param settings the drawn settings, as {@code key.path=value}
 * @param steps the steps that were to be trained
 * @param loss the validation loss after the last step; null if the training diverged
 */
public record TrialResult(
    int formatVersion,
    String run,
    int trial,
    List<String> settings,
    long steps,
    @Nullable Double loss) {
  private static final int FORMAT_VERSION = 1;

  public TrialResult {
    settings = List.copyOf(settings);
  }

  public TrialResult(
      String run, int trial, List<String> settings, long steps, @Nullable Double loss) {
    this(FORMAT_VERSION, run, trial, settings, steps, loss);
  }

  /** {@return the trial with the lowest loss, of equal ones the first; empty if all diverged} */
  public static Optional<TrialResult> chosen(List<TrialResult> trials) {
    return trials.stream()
        .filter(trial -> trial.loss != null && !trial.loss.isNaN())
        .min(
            Comparator.<TrialResult>comparingDouble(trial -> trial.loss)
                .thenComparingInt(TrialResult::trial));
  }
}
