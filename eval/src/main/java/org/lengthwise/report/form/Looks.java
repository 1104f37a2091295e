package org.lengthwise.report.form;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lengthwise.plot.Axis.Mark;
import org.lengthwise.plot.Palette;
import org.lengthwise.plot.Series.Label;

/**
 * The looks that all charts of a report share. A run has one colour, dash pattern and marker in all
 * charts. Runs of one model, such as {@code rope-text} and {@code rope-mqar}, have one look. A run
 * that starts from another one has its colour, with other dashes and another marker.
 *
 * @param runs all runs of the report; without models, the index of a run is its look
 * @param models the name of the model of each run that has not the name of its model
 * @param sources the run that a run starts from
 */
public record Looks(List<String> runs, Map<String, String> models, Map<String, String> sources) {
  public Looks {
    runs = List.copyOf(runs);
    models = Map.copyOf(models);
    sources = Map.copyOf(sources);
  }

  public Looks(List<String> runs) {
    this(runs, Map.of(), Map.of());
  }

  public String model(String run) {
    return models.getOrDefault(run, run);
  }

  /**
   * {@return the look of a run: the index of its model among those that start from no other; of the
   * others, the next free look of the same colour}
   */
  public int look(String run) {
    List<String> first = runs.stream().filter(one -> root(one).equals(one)).toList();
    List<String> models = first.stream().map(this::model).distinct().toList();
    int own = models.indexOf(model(root(run)));
    if (root(run).equals(run)) {
      return own;
    }
    List<String> kin =
        runs.stream()
            .filter(one -> !root(one).equals(one) && model(root(one)).equals(model(root(run))))
            .map(this::model)
            .distinct()
            .toList();
    int rounds = Palette.rounds(models.size());
    return Palette.kin(own, rounds + kin.indexOf(model(run)));
  }

  /** The first run of the chain of runs that a run starts from, as far as the report has them. */
  private String root(String run) {
    String source = sources.get(run);
    return source == null || !runs.contains(source) ? run : root(source);
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
