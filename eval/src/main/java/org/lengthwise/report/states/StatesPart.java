package org.lengthwise.report.states;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.lengthwise.report.form.Looks;
import org.lengthwise.report.form.Part;
import org.lengthwise.report.form.RunName;
import org.lengthwise.report.form.Section;
import org.lengthwise.report.form.Section.Block;
import org.lengthwise.report.form.Section.Figure;
import org.lengthwise.report.form.Section.Folded;
import org.lengthwise.report.form.Section.Note;
import org.lengthwise.report.form.Section.Place;
import org.lengthwise.report.form.Section.Table;
import org.lengthwise.result.ModelState;
import org.lengthwise.result.StatesResult;

/**
 * The outputs of classifiers.
 *
 * @param results the results; may be empty
 */
public record StatesPart(List<StatesResult> results) implements Part {
  /** Copies the list. */
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
    blocks.add(new Table(StatesTable.of(results), Place.BOTH));
    return List.of(new Section("States", blocks));
  }
}
