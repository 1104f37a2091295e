package org.lengthwise.report.recall;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.plot.HeatMap;
import org.lengthwise.report.form.Looks;
import org.lengthwise.report.form.Part;
import org.lengthwise.report.form.Question;
import org.lengthwise.report.form.RunName;
import org.lengthwise.report.form.Section;
import org.lengthwise.report.form.Section.Block;
import org.lengthwise.report.form.Section.Figure;
import org.lengthwise.report.form.Section.Place;
import org.lengthwise.report.form.Section.Table;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.Located;
import org.lengthwise.result.RecallScore;

/** The accuracy of models of recall tasks. */
public final class RecallPart implements Part {
  private final List<RecallScore> scores;
  private final List<RecallGroup> groups;
  private final double confidence;

  /**
   * Groups the lines of recall tasks.
   *
   * @param found lines with their places, also of other kinds
   * @param confidence the share that intervals hold
   * @throws DataFormatException if two lines contradict each other
   */
  public RecallPart(List<Located<AccuracyResult>> found, double confidence) {
    Map<RecallScore.Key, Located<AccuracyResult>> cells = new LinkedHashMap<>();
    for (Located<AccuracyResult> line : found) {
      if (line.value().recall() != null) {
        Located<AccuracyResult> first = cells.putIfAbsent(RecallScore.key(line.value()), line);
        if (first != null && !Objects.equals(first.value().recall(), line.value().recall())) {
          throw new DataFormatException(
              line.place(),
              "one accuracy for each run, seed, setting and length",
              "another one in %s (%s)".formatted(first.place(), line.value().run()),
              "with --results, name only folders that belong together");
        }
      }
    }
    this.scores = RecallScore.of(cells.values().stream().map(Located::value).toList());
    this.groups = RecallGroup.of(scores);
    this.confidence = confidence;
  }

  @Override
  public Stream<String> runs() {
    return scores.stream().map(score -> score.line().run()).sorted(RunName.paperFirst());
  }

  @Override
  public Map<String, String> files() {
    if (scores.isEmpty()) {
      return Map.of();
    }
    Map<String, String> files = new LinkedHashMap<>();
    files.put("recall.csv", new RecallTables(confidence).csv(scores));
    files.put("recall-distance.csv", RecallTables.distances(scores));
    Looks looks = new Looks(runs().distinct().toList());
    for (RecallGroup group : groups) {
      for (HeatMap map : new RecallCharts(group, looks, confidence).maps()) {
        files.put(map.name() + ".csv", map.csv());
      }
    }
    return files;
  }

  @Override
  public List<Question> questions() {
    return groups.stream().map(group -> group.question(confidence)).toList();
  }

  @Override
  public List<Section> sections(Looks looks) {
    List<Block> blocks = new ArrayList<>();
    for (RecallGroup group : groups) {
      RecallCharts charts = new RecallCharts(group, looks, confidence);
      blocks.add(new Figure(charts.byLength(), true));
      new RecallTables(confidence).of(group).forEach(one -> blocks.add(new Table(one, Place.BOTH)));
      blocks.add(new Figure(charts.byDistance(), true));
      charts.maps().forEach(map -> blocks.add(new Section.Map(map)));
    }
    return List.of(new Section("Recall", blocks));
  }
}
