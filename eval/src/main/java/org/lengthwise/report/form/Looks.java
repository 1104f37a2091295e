package org.lengthwise.report.form;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lengthwise.plot.Axis.Mark;
import org.lengthwise.plot.Series.Label;

/**
 * The looks that all charts of a report share. A run has one colour, dash pattern and marker in all
 * charts. Runs of one model, such as {@code rope-text} and {@code rope-mqar}, have one look.
 *
 * @param runs all runs of the report; without models, the index of a run is its look
 * @param models the name of the model of each run that has not the name of its model
 */
public record Looks(List<String> runs, Map<String, String> models) {
  public Looks {
    runs = List.copyOf(runs);
    models = Map.copyOf(models);
  }

  public Looks(List<String> runs) {
    this(runs, Map.of());
  }

  public String model(String run) {
    return models.getOrDefault(run, run);
  }

  /** {@return the look of a run: the index of its model} */
  public int look(String run) {
    return runs.stream().map(this::model).distinct().toList().indexOf(model(run));
  }

  public Label of(String run) {
    return new Label(RunName.heading(model(run)), run, look(run));
  }

  /**
   * {@return a mark at each training length, in ascending order} Words of near marks would overlap,
   * so the longest has all words.
   */
  public static List<Mark> trainedAt(List<Integer> lengths) {
    List<Integer> sorted = lengths.stream().distinct().sorted().toList();
    String words =
        "trained at " + sorted.stream().map(Numbers::count).collect(Collectors.joining(" and "));
    return sorted.stream()
        .map(length -> new Mark(length, length.equals(sorted.get(sorted.size() - 1)) ? words : ""))
        .toList();
  }

  public static List<Double> doublings(int longest) {
    return Stream.iterate(1.0, tick -> tick <= longest, tick -> 2 * tick).toList();
  }
}
