package org.lengthwise.report.probe;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lengthwise.plot.HeatMap;
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
import org.lengthwise.result.ProbeResult;
import org.lengthwise.statistics.Interval;
import org.lengthwise.statistics.Proportion;

/**
 * The zero-shot passkey.
 *
 * @param results the results; may be empty
 * @param confidence the share that intervals hold
 */
public record ProbePart(List<ProbeResult> results, double confidence) implements Part {
  private static final String HEADER =
      "run,scheme,seed,filler,length,depth,prompts,choice,exact,control,gain\n";

  /** The gain of the strongest colour, in nats: a key of five digits is certain. */
  private static final double FULL_GAIN = 5 * Math.log(10);

  private static final String CANNOT = "cannot do it in range";

  /** Copies the results. */
  public ProbePart {
    results = results.stream().distinct().toList();
  }

  @Override
  public Stream<String> runs() {
    return results.stream().map(result -> result.subject().run()).sorted(RunName.paperFirst());
  }

  /** The results of each run, seed and filler, by their name in files. */
  private Map<String, List<ProbeResult>> models() {
    return results.stream()
        .sorted(Comparator.comparing(result -> result.subject().run(), RunName.paperFirst()))
        .collect(
            Collectors.groupingBy(
                result ->
                    "%s-seed%s-%s"
                        .formatted(
                            result.subject().run(), result.subject().seed(), result.filler()),
                LinkedHashMap::new,
                Collectors.toList()));
  }

  @Override
  public Map<String, String> files() {
    if (results.isEmpty()) {
      return Map.of();
    }
    Map<String, String> files = new LinkedHashMap<>();
    files.put(
        "passkey.csv",
        HEADER + results.stream().map(ProbePart::line).collect(Collectors.joining("\n", "", "\n")));
    maps().forEach(map -> files.put(map.name() + ".csv", map.csv()));
    return files;
  }

  private static String line(ProbeResult result) {
    return Stream.of(
            result.subject().run(),
            result.subject().scheme(),
            result.subject().seed(),
            result.filler(),
            result.length(),
            result.depth(),
            result.count(),
            result.choice(),
            result.exact(),
            result.control(),
            result.gain())
        .map(Object::toString)
        .collect(Collectors.joining(","));
  }

  private List<HeatMap> maps() {
    List<HeatMap> maps = new ArrayList<>();
    models()
        .forEach(
            (name, found) -> {
              String heading = heading(found.get(0));
              maps.add(
                  map(
                      "passkey-gain-" + name,
                      "Gain in nats, " + heading,
                      found,
                      FULL_GAIN,
                      ProbeResult::gain));
              maps.add(
                  map(
                      "passkey-choice-" + name,
                      "% of right choices, " + heading,
                      found,
                      1,
                      result -> (double) result.choice() / result.count()));
            });
    return maps;
  }

  private static String heading(ProbeResult result) {
    return "%s, seed %s, %s"
        .formatted(
            RunName.heading(result.subject().run()), result.subject().seed(), result.filler());
  }

  private static HeatMap map(
      String name,
      String title,
      List<ProbeResult> found,
      double full,
      ToDoubleFunction<ProbeResult> value) {
    List<Integer> lengths = found.stream().map(ProbeResult::length).distinct().sorted().toList();
    List<Double> depths = found.stream().map(ProbeResult::depth).distinct().sorted().toList();
    return new HeatMap(
        name,
        title,
        "tokens read",
        "depth",
        lengths.stream().map(String::valueOf).toList(),
        depths.stream().map(String::valueOf).toList(),
        depths.stream()
            .map(
                depth ->
                    lengths.stream()
                        .map(
                            length ->
                                found.stream()
                                    .filter(one -> one.length() == length && one.depth() == depth)
                                    .mapToDouble(value)
                                    .findFirst()
                                    .orElse(Double.NaN))
                        .toList())
            .toList(),
        full,
        false);
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
    List<List<Entry>> rows = new ArrayList<>();
    models()
        .values()
        .forEach(
            found ->
                found.stream()
                    .collect(
                        Collectors.groupingBy(
                            ProbeResult::length, LinkedHashMap::new, Collectors.toList()))
                    .values()
                    .forEach(of -> rows.add(row(of, canDoIt(found)))));
    return new TableText(
        "Passkey, all depths",
        List.of(
            "run", "tokens read", "gain in nats", "choice in %", "exact in %", "control in %", ""),
        rows,
        List.of(),
        List.of(
            "Intervals: Wilson's. A model whose choice is that of a guess at every depth at its"
                + " training length cannot do it in range; its other numbers say nothing about"
                + " extrapolation."),
        "lrrrrrl");
  }

  /** Whether choice is no guess at some depth at T_tr; also if T_tr was not measured. */
  private boolean canDoIt(List<ProbeResult> found) {
    List<ProbeResult> inRange =
        found.stream().filter(one -> one.length() == one.subject().trainLength()).toList();
    return inRange.isEmpty() || inRange.stream().anyMatch(one -> !one.isChance(confidence));
  }

  private List<Entry> row(List<ProbeResult> of, boolean canDoIt) {
    long count = of.stream().mapToLong(ProbeResult::count).sum();
    double gain = of.stream().mapToDouble(ProbeResult::gain).average().orElseThrow();
    return TableText.line(
        heading(of.get(0)),
        Entry.of(Numbers.count(of.get(0).length())),
        Entry.of(Numbers.of("%.3f", gain)),
        share(of.stream().mapToLong(ProbeResult::choice).sum(), count),
        share(of.stream().mapToLong(ProbeResult::exact).sum(), count),
        share(of.stream().mapToLong(ProbeResult::control).sum(), count),
        Entry.of(canDoIt ? "" : CANNOT));
  }

  private Entry share(long successes, long count) {
    Proportion proportion = new Proportion(successes, count);
    Interval interval = proportion.interval(confidence);
    return new Entry(
        Proportion.percent(proportion.share()),
        "(%s–%s)"
            .formatted(Proportion.percent(interval.low()), Proportion.percent(interval.high())),
        "");
  }
}
