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
 * @param runs all runs of the report
 * @param models the name of the model of each run that has not the name of its model
 */
public record Looks(List<String> runs, Map<String, String> models) {
  /** Copies the lists. */
  public Looks {
    runs = List.copyOf(runs);
    models = Map.copyOf(models);
  }

  /**
   * Runs that are models of their own.
   *
   * @param runs all runs of the report; the index of a run is its look
   */
  public Looks(List<String> runs) {
    this(runs, Map.of());
  }

  /** {@return the model of a run} */
  public String model(String run) {
    return models.getOrDefault(run, run);
  }

  /** {@return the look of a run: the index of its model} */
  public int look(String run) {
    return runs.stream().map(this::model).distinct().toList().indexOf(model(run));
  }

  /** {@return the look of a run, with its name for readers} */
  public Label of(String run) {
    return new Label(RunName.heading(model(run)), run, look(run));
  }

  /**
   * {@return a mark at each training length, in ascending order} Words of near marks would overlap,
   * so the longest has all words.
   *
   * @param lengths training lengths in any order
   */
  public static List<Mark> trainedAt(List<Integer> lengths) {
    List<Integer> sorted = lengths.stream().distinct().sorted().toList();
    String words =
        "trained at " + sorted.stream().map(Numbers::count).collect(Collectors.joining(" and "));
    return sorted.stream()
        .map(length -> new Mark(length, length.equals(sorted.get(sorted.size() - 1)) ? words : ""))
        .toList();
  }

  /** {@return the powers of two up to a length} */
  public static List<Double> doublings(int longest) {
    return Stream.iterate(1.0, tick -> tick <= longest, tick -> 2 * tick).toList();
  }
}
