package org.lengthwise.report.accuracy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
import org.lengthwise.report.form.TableText.Entry;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.RecallScore;

/** The accuracy of models of recall tasks. */
public final class RecallPart implements Part {
  private final List<RecallScore> scores;
  private final List<RecallGroup> groups;
  private final double confidence;

  public RecallPart(List<AccuracyResult> found, double confidence) {
    this.scores = RecallScore.of(found);
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
    groups.stream()
        .flatMap(group -> maps(group).stream())
        .forEach(map -> files.put(map.name() + ".csv", map.csv()));
    return files;
  }

  @Override
  public List<Question> questions() {
    return groups.stream().map(group -> group.question(confidence)).toList();
  }

  /** For each model the share of right strings by length and depth, if there are depths. */
  private static List<HeatMap> maps(RecallGroup group) {
    return group.all().depths().size() < 2
        ? List.of()
        : group.models().stream()
            .map(
                model ->
                    group
                        .all()
                        .map(
                            "recall-depth-%s-%s-seed%s"
                                .formatted(group.file(), model.run(), model.any().subject().seed()),
                            "%% of right keys, %s, %s%s"
                                .formatted(
                                    group.title(),
                                    group.heading(model),
                                    group.isLearned(model) ? "" : ", " + Entry.NOT_LEARNED),
                            "length",
                            model,
                            AccuracyResult::accuracy,
                            1,
                            !group.isLearned(model)))
            .toList();
  }

  @Override
  public List<Section> sections(Looks looks) {
    List<Block> blocks = new ArrayList<>();
    for (RecallGroup group : groups) {
      RecallCharts charts = new RecallCharts(group, looks, confidence);
      blocks.add(new Figure(charts.byLength(), true));
      new RecallTables(confidence).of(group).forEach(one -> blocks.add(new Table(one, Place.BOTH)));
      blocks.add(new Figure(charts.byDistance(), true));
      maps(group).forEach(map -> blocks.add(new Section.Map(map)));
    }
    return List.of(new Section("Recall", blocks));
  }
}
