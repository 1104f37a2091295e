package org.lengthwise.report.accuracy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.lengthwise.plot.HeatMap;
import org.lengthwise.report.form.Columns;
import org.lengthwise.report.form.Looks;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.Part;
import org.lengthwise.report.form.RunName;
import org.lengthwise.report.form.Section;
import org.lengthwise.report.form.Section.Block;
import org.lengthwise.report.form.Section.Note;
import org.lengthwise.report.form.Section.Place;
import org.lengthwise.report.form.Section.Table;
import org.lengthwise.report.form.TableText;
import org.lengthwise.report.form.TableText.Entry;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.statistics.Proportion;

/** The zero-shot passkey. */
public record PasskeyPart(List<AccuracyResult> results, double confidence) implements Part {
  private static final int CHOICE = 0;
  private static final int EXACT = 1;
  private static final int CONTROL = 2;

  /** The gain of the strongest colour, in nats: a key of five digits is certain. */
  private static final double FULL_GAIN = 5 * Math.log(10);

  private static final String CANNOT = "cannot do it in range";

  public PasskeyPart {
    results = results.stream().filter(one -> one.metric().equals(AccuracyResult.PASSKEY)).toList();
  }

  @Override
  public Stream<String> runs() {
    return results.stream().map(AccuracyResult::run).sorted(RunName.paperFirst());
  }

  private static double gain(AccuracyResult one) {
    return one.means().getOrDefault("gain", Double.NaN);
  }

  /** The results of each run, seed and filler. */
  private List<AccuracyMean> models() {
    return new AccuracyMean(
            results.stream()
                .sorted(Comparator.comparing(AccuracyResult::run, RunName.paperFirst()))
                .toList())
        .by(one -> List.of(one.run(), one.subject().seed(), one.strings().task()));
  }

  @Override
  public Map<String, String> files() {
    if (results.isEmpty()) {
      return Map.of();
    }
    Map<String, String> files = new LinkedHashMap<>();
    files.put("passkey.csv", csv());
    maps().forEach(map -> files.put(map.name() + ".csv", map.csv()));
    return files;
  }

  private String csv() {
    return AccuracyTable.runs(new Columns<AccuracyResult>(), "filler", Function.identity())
        .number("length", AccuracyResult::length)
        .number("depth", one -> one.strings().settings().path("depth").asText())
        .number("prompts", one -> one.strings().count())
        .number("choice", one -> one.share(CHOICE).right())
        .number("exact", one -> one.share(EXACT).right())
        .number("control", one -> one.share(CONTROL).right())
        .number("gain", PasskeyPart::gain)
        .csv(results);
  }

  private List<HeatMap> maps() {
    List<HeatMap> maps = new ArrayList<>();
    for (AccuracyMean of : models()) {
      maps.add(map("gain", "Gain in nats, ", of, PasskeyPart::gain, FULL_GAIN));
      maps.add(
          map(
              "choice",
              "% of right choices, ",
              of,
              one -> one.share(CHOICE).proportion().share(),
              1));
    }
    return maps;
  }

  private static HeatMap map(
      String kind,
      String title,
      AccuracyMean of,
      ToDoubleFunction<AccuracyResult> number,
      double full) {
    String name =
        "passkey-%s-%s-seed%s-%s".formatted(kind, of.run(), of.any().subject().seed(), of.task());
    return of.map(name, title + heading(of), "tokens read", of, number, full, false);
  }

  private static String heading(AccuracyMean model) {
    return "%s, seed %s, %s"
        .formatted(RunName.heading(model.run()), model.any().subject().seed(), model.task());
  }

  @Override
  public List<Section> sections(Looks looks) {
    if (results.isEmpty()) {
      return List.of();
    }
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        new Note(
            "A text holds a key of five digits at some depth, and ends with a question for it."
                + " Choice: the right key is more probable than nine others, 10 % by chance. Gain:"
                + " how much the needle adds to the logarithm of the right key's probability."
                + " Control: choice where the needle holds none of the ten keys."));
    blocks.add(new Table(table(), Place.BOTH));
    maps().forEach(map -> blocks.add(new Section.Map(map)));
    return List.of(new Section("Passkey", blocks));
  }

  private TableText table() {
    List<AccuracyMean> able = models().stream().filter(this::canDoIt).toList();
    return new Columns<AccuracyMean>()
        .words("run", PasskeyPart::heading)
        .number("tokens read", of -> Numbers.count(of.any().length()))
        .number("gain in nats", of -> Numbers.of("%.3f", of.mean(PasskeyPart::gain)))
        .number("choice in %", of -> share(of.right(CHOICE)))
        .number("exact in %", of -> share(of.right(EXACT)))
        .number("control in %", of -> share(of.right(CONTROL)))
        .words(
            "",
            of -> able.stream().anyMatch(model -> model.results().contains(of.any())) ? "" : CANNOT)
        .of(
            "Passkey, all depths",
            models().stream().flatMap(model -> model.by(AccuracyResult::length).stream()).toList(),
            List.of(
                "Intervals: Wilson's. A model whose choice is no better than a guess at any depth at"
                    + " its training length cannot do it in range; its other numbers say nothing"
                    + " about extrapolation."));
  }

  /** Whether choice is no guess at some depth at T_tr; also if T_tr was not measured. */
  private boolean canDoIt(AccuracyMean model) {
    List<AccuracyResult> inRange = model.at(model.trainLength()).results();
    // A guess shall be above chance at no depth with the confidence of one interval.
    double ofDepth = 1 - (1 - confidence) / Math.max(1, inRange.size());
    return inRange.isEmpty()
        || inRange.stream()
            .anyMatch(one -> one.interval(CHOICE, ofDepth).low() > one.share(CHOICE).chance());
  }

  private Entry share(Proportion right) {
    return new Entry(
        Proportion.percent(right.share()), Numbers.percents(right.interval(confidence)), "");
  }
}
