package org.lengthwise.report.training;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.lengthwise.report.form.Columns;
import org.lengthwise.report.form.Groups;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.RunName;
import org.lengthwise.report.form.TableText;
import org.lengthwise.result.TrialResult;

/** The trials of random searches, the best ones of each run first. */
record TrialTable(List<TrialResult> trials, Set<TrialResult> chosen) {
  static TrialTable of(List<TrialResult> trials) {
    return new TrialTable(
        trials.stream()
            .sorted(
                Comparator.comparing(TrialResult::run, RunName.paperFirst())
                    .thenComparing(TrialResult::run)
                    .thenComparing(
                        TrialResult::loss, Comparator.nullsLast(Comparator.naturalOrder()))
                    .thenComparing(TrialResult::trial))
            .toList(),
        trials.stream().collect(Groups.by(TrialResult::run)).values().stream()
            .flatMap(ofRun -> TrialResult.chosen(ofRun).stream())
            .collect(Collectors.toSet()));
  }

  TableText table() {
    return columns()
        .of(
            "Search",
            trials,
            List.of(
                "Each trial is a training with drawn settings. The chosen trial (*) has the lowest"
                    + " validation loss after its last step; its settings are those of the run. For tasks with several"
                    + " answers the loss is the share of wrong ones."));
  }

  String csv() {
    return columns().csv(trials);
  }

  private Columns<TrialResult> columns() {
    return new Columns<TrialResult>()
        .words("run", TrialResult::run)
        .number("trial", TrialResult::trial)
        .words("chosen", trial -> chosen.contains(trial) ? "*" : "")
        .number("steps", TrialResult::steps)
        .number(
            "validation loss",
            trial -> trial.loss() == null ? "diverged" : Numbers.of("%.4f", trial.loss()))
        .words("settings", trial -> String.join(" ", trial.settings()));
  }
}
