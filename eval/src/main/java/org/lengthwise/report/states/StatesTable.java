package org.lengthwise.report.states;

import java.util.Comparator;
import java.util.List;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.RunName;
import org.lengthwise.report.form.TableText;
import org.lengthwise.report.form.TableText.Entry;
import org.lengthwise.result.StatesResult;

/** How close outputs of equal maps are: a row for each run, seed and set of weights. */
final class StatesTable {
  private StatesTable() {}

  static TableText of(List<StatesResult> results) {
    return new TableText(
        "Outputs by the map of the string below them",
        List.of(
            "run",
            "task",
            "seed",
            "weights",
            "T",
            "strings",
            "outputs",
            "different outputs",
            "maps",
            "nearest to own map",
            "within / between",
            "first component"),
        results.stream()
            .sorted(
                Comparator.comparing(StatesResult::run, RunName.paperFirst())
                    .thenComparing(StatesResult::run)
                    .thenComparing(result -> result.strings().length())
                    .thenComparing(result -> result.subject().seed())
                    .thenComparing(StatesResult::weights))
            .map(StatesTable::row)
            .toList(),
        List.of(),
        List.of(
            "A window of a level stands for a part of the string. The map of the part: which state"
                + " of the automaton follows from which.",
            "Different outputs: their numbers are rounded to three decimals. Nearest to own map:"
                + " the share of outputs whose nearest class mean is that of their own map; chance"
                + " is one in the number of maps if all are equally frequent. Within / between: the"
                + " mean distance of outputs to the mean of their map, divided by the mean distance"
                + " between these means. First component: its share of the variance. The outputs of"
                + " all strings count together."),
        "llllrrrrrrrr");
  }

  private static List<Entry> row(StatesResult result) {
    StatesResult.Outputs outputs = result.outputs();
    Double ratio = outputs.withinOverBetween();
    return TableText.line(
        RunName.heading(result.run()),
        List.of(
            result.strings().task(),
            Long.toString(result.subject().seed()),
            result.weights().label(),
            Numbers.count(result.strings().length()),
            Numbers.count(result.strings().samples()),
            Numbers.count(outputs.count()),
            Numbers.count(outputs.numOutputs()),
            Numbers.count(outputs.numMaps()),
            Numbers.of("%.3f", outputs.nearestShare()),
            ratio == null ? Numbers.MISSING : Numbers.of("%.3f", ratio),
            Numbers.of("%.1f %%", 100 * outputs.variance().get(0))));
  }
}
