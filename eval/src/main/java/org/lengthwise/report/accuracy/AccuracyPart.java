package org.lengthwise.report.accuracy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.plot.Chart;
import org.lengthwise.report.form.Looks;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.Part;
import org.lengthwise.report.form.Question;
import org.lengthwise.report.form.Question.Answer;
import org.lengthwise.report.form.Question.Reference;
import org.lengthwise.report.form.Section;
import org.lengthwise.report.form.Section.Block;
import org.lengthwise.report.form.Section.Figure;
import org.lengthwise.report.form.Section.Place;
import org.lengthwise.report.form.Section.Table;
import org.lengthwise.report.training.TrainedRun;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.Located;
import org.lengthwise.statistics.AccuracyRule;

/**
 * The accuracy of classifiers of strings, of answers, and of every kind without a part of its own.
 */
public final class AccuracyPart implements Part {
  private final List<AccuracyMean> means;
  private final StringTables tables;
  private final double confidence;
  private final List<Chart> byChunk;

  /** Joins the seeds of each run. */
  public AccuracyPart(
      List<AccuracyResult> found, List<TrainedRun> trained, AccuracyRule rule, double confidence) {
    this.means = AccuracyMean.of(found.stream().filter(AccuracyPart::isShown).toList());
    this.tables = new StringTables(means, trained, rule);
    this.confidence = confidence;
    this.byChunk = ChunkChart.of(means, trained);
  }

  /**
   * {@return the results without repetitions}
   *
   * @throws DataFormatException if two results contradict each other
   */
  public static List<AccuracyResult> distinct(List<Located<AccuracyResult>> found) {
    return AccuracyMean.distinct(found);
  }

  private static boolean isShown(AccuracyResult one) {
    return !Set.of(AccuracyResult.RECALL, AccuracyResult.PASSKEY).contains(one.metric());
  }

  @Override
  public Stream<String> runs() {
    return means.stream().map(AccuracyMean::run);
  }

  @Override
  public Map<String, String> files() {
    return means.isEmpty()
        ? Map.of()
        : Map.of("accuracy.csv", new AccuracyTable(confidence).csv(means));
  }

  /** The accuracy at the longest length of each task and draw. */
  @Override
  public List<Question> questions() {
    return means.stream()
        .filter(mean -> !mean.areAnswers())
        .collect(
            Collectors.groupingBy(
                mean -> mean.task() + mean.label(), TreeMap::new, Collectors.toList()))
        .values()
        .stream()
        .map(this::question)
        .toList();
  }

  private Question question(List<AccuracyMean> ofTask) {
    int longest =
        ofTask.stream()
            .flatMap(mean -> mean.lengths().stream())
            .max(Integer::compare)
            .orElseThrow();
    List<AccuracyMean> reaching =
        ofTask.stream().filter(mean -> mean.lengths().contains(longest)).toList();
    AccuracyMean any = reaching.get(0).at(longest);
    String draw = any.label();
    List<Reference> references = new ArrayList<>();
    any.constant()
        .ifPresent(known -> references.add(new Reference("constant answer", known.mean())));
    any.bestRule().ifPresent(rule -> references.add(new Reference(rule.name(), rule.mean())));
    return new Question(
        any.task(),
        any.task() + (draw.isEmpty() ? "" : ", " + draw) + ", " + Numbers.count(longest),
        Question.Measure.ACCURACY,
        reaching.stream()
            .map(
                mean ->
                    Answer.of(
                        mean.run(),
                        mean.at(longest).bySeed(),
                        seed -> mean.learned().containsAll(seed.seeds()),
                        AccuracyMean::mean,
                        seed -> seed.right().interval(confidence)))
            .toList(),
        references);
  }

  @Override
  public List<Section> sections(Looks looks) {
    List<Block> blocks = new ArrayList<>();
    tables.first().ifPresent(table -> blocks.add(new Table(table, Place.BOTH)));
    AccuracyChart.of(means, looks, confidence)
        .forEach(chart -> blocks.add(new Figure(chart, true)));
    byChunk.forEach(chart -> blocks.add(new Figure(chart, true)));
    tables.second().ifPresent(table -> blocks.add(new Table(table, Place.BOTH)));
    new AccuracyTable(confidence)
        .ofAll(means)
        .forEach(table -> blocks.add(new Table(table, Place.BOTH)));
    return List.of(new Section("Accuracy", blocks));
  }
}
