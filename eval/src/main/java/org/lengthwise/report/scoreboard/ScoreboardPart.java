package org.lengthwise.report.scoreboard;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.lengthwise.plot.Axis;
import org.lengthwise.plot.Axis.Scale;
import org.lengthwise.plot.Chart;
import org.lengthwise.plot.Format;
import org.lengthwise.plot.Series;
import org.lengthwise.plot.Series.Label;
import org.lengthwise.plot.Series.Point;
import org.lengthwise.plot.Series.Style;
import org.lengthwise.report.form.Looks;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.Part;
import org.lengthwise.report.form.Question;
import org.lengthwise.report.form.Question.Measure;
import org.lengthwise.report.form.RunName;
import org.lengthwise.report.form.Section;
import org.lengthwise.report.form.Section.Block;
import org.lengthwise.report.form.Section.Figure;
import org.lengthwise.report.form.Section.Folded;
import org.lengthwise.report.form.Section.Note;
import org.lengthwise.report.form.Section.Place;
import org.lengthwise.report.form.Section.Table;
import org.lengthwise.report.form.TableText;
import org.lengthwise.report.form.TableText.Entry;

/**
 * All measurements of an experiment with blocks: a row for each model, a column for each question.
 *
 * @param questions the questions in the order of columns; none if the models have one subject
 * @param rows the names of the models, those of the paper first
 */
public record ScoreboardPart(List<Question> questions, List<String> rows) implements Part {
  private static final String NAME = "scoreboard";
  private static final String CAPTION =
      "Perplexity and time: less is better. Shares of right tokens or strings: more is"
          + " better, 100.0 means no error. A number is the mean of the seeds that have learned the task, with"
          + " their number if some have not; a time is that of the fastest seed. In brackets:"
          + " no seed has learned the task, so nothing follows from the number. Learned means"
          + " 99 % of right tokens or labels at the lengths of the training.";
  private static final String INTERVALS =
      "In brackets: the interval of a perplexity, and the range of the seeds otherwise. If one seed"
          + " counts, it is the interval of its strings.";
  private static final String TRADE =
      ", of the models that have learned the task. Beside a name stands the time of a step. The line"
          + " joins the models that no other model beats in both; a star marks those that no other"
          + " model beats in both and in the time. All are estimates without correction for the"
          + " number of models.";

  /** Copies the lists. */
  public ScoreboardPart {
    questions = List.copyOf(questions);
    rows = List.copyOf(rows);
  }

  /**
   * {@return the scoreboard of parts; without content unless some model answers questions on
   * several subjects}
   *
   * @param parts all other parts
   */
  public static ScoreboardPart of(List<Part> parts) {
    List<Question> all = parts.stream().flatMap(part -> part.questions().stream()).toList();
    Map<String, Long> subjects =
        all.stream()
            .flatMap(
                question ->
                    question.answers().stream()
                        .map(one -> Map.entry(question.row(one.run()), question.subject())))
            .distinct()
            .collect(
                Collectors.groupingBy(
                    Map.Entry::getKey, LinkedHashMap::new, Collectors.counting()));
    return subjects.values().stream().noneMatch(count -> count > 1)
        ? new ScoreboardPart(List.of(), List.of())
        : new ScoreboardPart(all, subjects.keySet().stream().sorted(RunName.paperFirst()).toList());
  }

  @Override
  public Stream<String> runs() {
    return rows.stream();
  }

  /** {@return the model of each run that has answered, the name of its row} */
  public Map<String, String> models() {
    return questions.stream()
        .flatMap(
            question ->
                question.answers().stream()
                    .map(one -> Map.entry(one.run(), question.row(one.run()))))
        .distinct()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private Optional<Score> score(Question question, String row) {
    return question.answers().stream()
        .filter(answer -> question.row(answer.run()).equals(row))
        .findFirst()
        .map(answer -> new Score(question, answer));
  }

  @Override
  public Map<String, String> files() {
    return questions.isEmpty() ? Map.of() : Map.of(NAME + ".csv", csv());
  }

  private String csv() {
    StringBuilder csv = new StringBuilder("model,question,value,low,high,seeds,learned\n");
    for (String row : rows) {
      for (Question question : questions) {
        score(question, row)
            .map(Score::answer)
            .ifPresent(
                one ->
                    csv.append(
                        String.format(
                            Locale.ROOT,
                            "%s,\"%s\",%s,%s,%s,%d,%d\n",
                            row,
                            question.title(),
                            one.value(),
                            one.interval().low(),
                            one.interval().high(),
                            one.seeds(),
                            one.learned())));
      }
    }
    return csv.toString();
  }

  @Override
  public List<Section> sections(Looks looks) {
    if (questions.isEmpty()) {
      return List.of(new Section("Scoreboard", List.of()));
    }
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Table(table("Scoreboard", CAPTION, Score::cell), Place.BOTH));
    blocks.add(
        new Folded(
            "Intervals and seeds",
            "",
            false,
            true,
            List.of(
                new Table(
                    table("Scoreboard with intervals", INTERVALS, Score::detailed), Place.PAGE))));
    chart(looks)
        .ifPresent(
            chart -> {
              blocks.add(new Note(chart.title() + TRADE));
              blocks.add(new Figure(chart, true));
            });
    return List.of(new Section("Scoreboard", blocks));
  }

  private TableText table(String title, String caption, Function<Score, Entry> cell) {
    List<String> header = new ArrayList<>(List.of("model"));
    questions.forEach(question -> header.add(question.title() + (question.isShare() ? ", %" : "")));
    List<List<Entry>> lines =
        rows.stream()
            .map(
                row ->
                    TableText.line(
                        RunName.heading(row),
                        questions.stream()
                            .map(
                                question ->
                                    score(question, row)
                                        .map(cell)
                                        .orElse(Entry.of(Numbers.MISSING)))
                            .toArray(Entry[]::new)))
            .toList();
    return new TableText(
        title, header, lines, foot(), List.of(caption), "l" + "r".repeat(questions.size()));
  }

  /** What is known without the models: a row for each name. */
  private List<List<Entry>> foot() {
    return questions.stream()
        .flatMap(question -> question.references().stream())
        .map(Question.Reference::name)
        .distinct()
        .map(
            name ->
                TableText.line(
                    name,
                    questions.stream()
                        .map(
                            question ->
                                question.references().stream()
                                    .filter(one -> one.name().equals(name))
                                    .findFirst()
                                    .map(one -> Score.number(question, one.value()))
                                    .orElse(Numbers.MISSING))
                        .toList()))
        .toList();
  }

  private List<Question> all(Measure measure) {
    return questions.stream().filter(one -> one.measure() == measure).toList();
  }

  /**
   * Perplexity at the longest length against the recall task that most models have learned; empty
   * if one of them is missing.
   */
  private Optional<Chart> chart(Looks looks) {
    List<Question> texts = all(Measure.PERPLEXITY);
    Optional<Question> asked =
        questions.stream()
            .filter(Question::isShare)
            .min(
                Comparator.comparing(Question::measure)
                    .thenComparing(Question::numLearned, Comparator.reverseOrder()));
    if (texts.isEmpty() || asked.isEmpty()) {
      return Optional.empty();
    }
    Question text = texts.get(texts.size() - 1);
    Question share = asked.get();
    List<Trade> trades = trades(text, share);
    if (trades.isEmpty()) {
      return Optional.empty();
    }
    List<Series> series = new ArrayList<>();
    series.add(
        new Series(
            new Label("no other is better in both", "", rows.size()),
            Style.THIN,
            trades.stream()
                .filter(one -> trades.stream().noneMatch(other -> one.isBeatenBy(other, false)))
                .map(Trade::point)
                .sorted(Comparator.comparing(Point::x))
                .toList(),
            "perplexity {x}: {y}"));
    Optional<Question> cost = all(Measure.TIME).stream().findFirst();
    for (Trade one : trades) {
      Label label = looks.of(one.row);
      String name =
          label.name()
              + cost.flatMap(question -> score(question, one.row))
                  .map(time -> ", " + time.number())
                  .orElse("")
              + (trades.stream().anyMatch(other -> one.isBeatenBy(other, true)) ? "" : " *");
      series.add(
          new Series(
              new Label(name, label.run(), label.look()),
              Style.MARKERS,
              List.of(one.point()),
              "perplexity {x}: {y}"));
    }
    return Optional.of(
        new Chart(
            NAME,
            "%s against %s".formatted(share.title(), text.title()),
            cost.map(time -> "names with %s; ".formatted(time.title())).orElse("")
                + "*: no other is better in both and as fast",
            axis(text.title(), trades),
            new Axis(
                "right tokens, " + share.title(),
                Scale.LINEAR,
                Format.SHARE,
                List.of(0.0, 1.0),
                List.of(),
                List.of()),
            series));
  }

  /** Perplexities of less than two doublings are on a linear scale. */
  private static Axis axis(String title, List<Trade> trades) {
    DoubleSummaryStatistics range =
        trades.stream().mapToDouble(Trade::perplexity).summaryStatistics();
    List<Double> ticks =
        DoubleStream.iterate(1, tick -> tick < 2 * range.getMax(), tick -> 2 * tick)
            .filter(tick -> 2 * tick > range.getMin())
            .boxed()
            .toList();
    return range.getMax() < 4 * range.getMin()
        ? new Axis(title, Scale.LINEAR, Format.NUMBER)
        : new Axis(title, Scale.DOUBLINGS, Format.NUMBER, List.of(), ticks, List.of());
  }

  /** The models that answer both questions and have learned the task. */
  private List<Trade> trades(Question text, Question share) {
    List<Question> times = all(Measure.TIME);
    return rows.stream()
        .filter(row -> score(text, row).isPresent())
        .filter(row -> score(share, row).filter(Score::isLearned).isPresent())
        .map(
            row ->
                new Trade(
                    row,
                    value(text, row),
                    value(share, row),
                    times.isEmpty() ? 0 : value(times.get(0), row)))
        .toList();
  }

  private double value(Question question, String row) {
    return score(question, row).map(one -> one.answer().value()).orElse(Double.POSITIVE_INFINITY);
  }

  /**
   * What a model gives for its time.
   *
   * @param row the model
   * @param perplexity less is better
   * @param share more is better
   * @param time of a step; infinite if none was measured
   */
  private record Trade(String row, double perplexity, double share, double time) {
    /** Whether another model is at least as good in all that counts, and better in some of it. */
    boolean isBeatenBy(Trade other, boolean timeCounts) {
      return other.perplexity <= perplexity
          && other.share >= share
          && (!timeCounts || other.time <= time)
          && (other.perplexity < perplexity
              || other.share > share
              || (timeCounts && other.time < time));
    }

    Point point() {
      return new Point(perplexity, share);
    }
  }
}
