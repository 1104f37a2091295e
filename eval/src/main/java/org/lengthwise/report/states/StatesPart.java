package org.lengthwise.report.states;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.lengthwise.report.form.Columns;
import org.lengthwise.report.form.Looks;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.Part;
import org.lengthwise.report.form.RunName;
import org.lengthwise.report.form.Section;
import org.lengthwise.report.form.Section.Block;
import org.lengthwise.report.form.Section.Figure;
import org.lengthwise.report.form.Section.Folded;
import org.lengthwise.report.form.Section.Note;
import org.lengthwise.report.form.Section.Place;
import org.lengthwise.report.form.Section.Table;
import org.lengthwise.report.form.TableText;
import org.lengthwise.result.ModelState;
import org.lengthwise.result.StatesResult;

/** The outputs of classifiers. */
public record StatesPart(List<StatesResult> results) implements Part {
  public StatesPart {
    results = List.copyOf(results);
  }

  @Override
  public Stream<String> runs() {
    return results.stream().map(StatesResult::run).sorted(RunName.paperFirst());
  }

  @Override
  public List<Section> sections(Looks looks) {
    if (results.isEmpty()) {
      return List.of();
    }
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        new Note(
            "The outputs of RegularGPT for all windows of one string, with one colour for each"
                + " level. If a model computes an automaton, outputs of equal maps form one cluster"
                + " at all levels."));
    StatesChart.of(results, ModelState.TRAINED)
        .forEach(chart -> blocks.add(new Figure(chart, true)));
    List<Block> untrained =
        StatesChart.of(results, ModelState.UNTRAINED).stream()
            .<Block>map(chart -> new Figure(chart, false))
            .toList();
    blocks.add(new Folded("The same models before training", "", false, false, untrained));
    blocks.add(new Table(table(), Place.BOTH));
    return List.of(new Section("States", blocks));
  }

  /** How close outputs of equal maps are: a row for each run, seed and set of weights. */
  private TableText table() {
    return new Columns<StatesResult>()
        .words("run", one -> RunName.heading(one.run()))
        .words("task", one -> one.strings().task())
        .words("seed", one -> one.subject().seed())
        .words("weights", one -> one.weights().label())
        .number("T", one -> Numbers.count(one.strings().length()))
        .number("strings", one -> Numbers.count(one.strings().samples()))
        .number("outputs", one -> Numbers.count(one.outputs().count()))
        .number("different outputs", one -> Numbers.count(one.outputs().numOutputs()))
        .number("maps", one -> Numbers.count(one.outputs().numMaps()))
        .number("nearest to own map", one -> Numbers.of("%.3f", one.outputs().nearestShare()))
        .number(
            "within / between",
            one -> {
              Double ratio = one.outputs().withinOverBetween();
              return ratio == null ? Numbers.MISSING : Numbers.of("%.3f", ratio);
            })
        .number(
            "first component", one -> Numbers.of("%.1f %%", 100 * one.outputs().variance().get(0)))
        .of(
            "Outputs by the map of the string below them",
            results.stream()
                .sorted(
                    Comparator.comparing(StatesResult::run, RunName.paperFirst())
                        .thenComparing(StatesResult::run)
                        .thenComparing(result -> result.strings().length())
                        .thenComparing(result -> result.subject().seed())
                        .thenComparing(StatesResult::weights))
                .toList(),
            List.of(
                "A window of a level stands for a part of the string. The map of the part: which"
                    + " state of the automaton follows from which.",
                "Different outputs: their numbers are rounded to three decimals. Nearest to own"
                    + " map: the share of outputs whose nearest class mean is that of their own"
                    + " map; chance is one in the number of maps if all are equally frequent."
                    + " Within / between: the mean distance of outputs to the mean of their map,"
                    + " divided by the mean distance between these means. First component: its"
                    + " share of the variance. The outputs of all strings count together."));
  }
}
