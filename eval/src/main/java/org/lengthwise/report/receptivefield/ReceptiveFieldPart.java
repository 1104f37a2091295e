package org.lengthwise.report.receptivefield;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.report.form.Groups;
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
import org.lengthwise.result.Located;
import org.lengthwise.result.ReceptiveFieldResult;

/** The receptive fields, one for each run, seed and length. */
public record ReceptiveFieldPart(List<ReceptiveFieldResult> results) implements Part {
  public ReceptiveFieldPart {
    results = List.copyOf(results);
  }

  /**
   * The different results.
   *
   * @throws DataFormatException if two results cannot be shown as those of one run
   */
  public static ReceptiveFieldPart of(List<Located<ReceptiveFieldResult>> found) {
    record Key(String run, long seed, int length) {
      static Key of(ReceptiveFieldResult result) {
        return new Key(result.run(), result.seed(), result.length());
      }
    }
    Groups.requireOne(
        found,
        "one training step for each seed of a run",
        result -> List.of(result.run(), result.seed()),
        result -> result.subject().step());
    Groups.requireOne(
        found,
        "samples with BOS or samples without BOS for each model, not both",
        result -> RunName.withoutChange(result.run()),
        result -> result.bosTokenId() == null ? "without BOS" : "with BOS");
    Groups.requireOne(
        found,
        "one result for each run, seed and length",
        Key::of,
        result -> List.of(result.targetsSha256(), result.trained().effective()));
    Groups.requireOne(
        found,
        "one test set for each run",
        ReceptiveFieldResult::run,
        ReceptiveFieldResult::dataSha256);
    Groups.requireOne(
        found,
        "one training length for each run",
        ReceptiveFieldResult::run,
        result -> result.subject().trainLength());
    return new ReceptiveFieldPart(
        found.stream().map(Located::value).collect(Groups.by(Key::of)).values().stream()
            .map(same -> same.get(0))
            .toList());
  }

  @Override
  public Stream<String> runs() {
    return results.stream().map(ReceptiveFieldResult::run).sorted(RunName.paperFirst());
  }

  @Override
  public Map<String, String> files() {
    return results.isEmpty()
        ? Map.of()
        : Map.of("receptive-field.csv", ReceptiveFieldTable.csv(results));
  }

  @Override
  public List<Section> sections(Looks looks) {
    List<ReceptiveFieldMean> means = ReceptiveFieldMean.of(results);
    if (means.isEmpty()) {
      return List.of();
    }
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        new Note(
            "The share of the last position's gradient that comes from each number of most recent"
                + " tokens. A straight slanted line means that all positions matter. A curve that"
                + " rises only at the right end means that only recent tokens matter. Markers: 50,"
                + " 90 and 99 %. Dashed: the model before training. Vertical: the farthest token"
                + " that the scheme can reach, if it is not the first."));
    if (means.stream().anyMatch(mean -> mean.task().isPresent())) {
      blocks.add(
          new Note(
              "Strings: the gradient of the loss of the label. RegularGPT's tree spreads gradients"
                  + " over all symbols before any training. So its curve shows that every symbol is"
                  + " within reach, not that a task is learned."));
    }
    ReceptiveFieldCharts.ofLengths(means, looks)
        .forEach(chart -> blocks.add(new Figure(chart, true)));
    blocks.addAll(ofRuns(means));
    ReceptiveFieldTable.of(results).forEach(table -> blocks.add(new Table(table, Place.BOTH)));
    ReceptiveFieldTable.tenths(results).forEach(table -> blocks.add(new Table(table, Place.BOTH)));
    return List.of(new Section("Receptive fields", blocks));
  }

  /** One run at several lengths. Pictures of all runs would add 1 MB to the page. */
  private static List<Block> ofRuns(List<ReceptiveFieldMean> means) {
    List<Block> blocks = new ArrayList<>();
    means.stream().collect(Groups.by(ReceptiveFieldMean::run)).values().stream()
        .filter(ofRun -> ofRun.size() > 1)
        .forEach(ofRun -> blocks.add(ofRun(ofRun)));
    if (!blocks.isEmpty()) {
      blocks.add(
          0,
          new Note(
              "One scheme at several lengths. If the curves coincide, the receptive field does not"
                  + " grow with the length. Readers without scripts find these charts in the files"
                  + " receptive-field-of-*."));
    }
    return blocks;
  }

  private static Folded ofRun(List<ReceptiveFieldMean> ofRun) {
    String run = ofRun.get(0).run();
    String lengths =
        ofRun.stream()
            .map(mean -> Numbers.count(mean.length()))
            .collect(Collectors.joining(" and "));
    return new Folded(
        "%s at %s tokens".formatted(RunName.heading(run), lengths),
        run,
        false,
        true,
        List.of(new Figure(ReceptiveFieldCharts.ofRun(ofRun), false)));
  }
}
