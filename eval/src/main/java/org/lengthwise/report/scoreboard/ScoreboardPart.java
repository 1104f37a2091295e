package org.lengthwise.report.scoreboard;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.lengthwise.error.Count;
import org.lengthwise.plot.Chart;
import org.lengthwise.report.form.Columns;
import org.lengthwise.report.form.Looks;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.Part;
import org.lengthwise.report.form.Question;
import org.lengthwise.report.form.Question.Answer;
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
import org.lengthwise.report.scoreboard.TradeChart.Trade;
import org.lengthwise.statistics.Interval;

/**
 * All measurements of an experiment with blocks: a row for each model, a column for each question.
 *
 * @param questions the questions in the order of columns; none if the models have one subject
 * @param rows the names of the models, the lowest perplexity at the longest length first
 */
public record ScoreboardPart(List<Question> questions, List<String> rows) implements Part {
  private static final String NAME = "scoreboard";
  private static final String CAPTION =
      "Perplexity and time: less is better. Shares of right tokens or strings: more is better, and"
          + " 100.0 means no error. A task is learned if 99 % of new strings, drawn as in the"
          + " training, are right. A share is the mean of the seeds that have learned the task; (2"
          + " of 3) says how many, and a range stands where they differ by ten points or more. In"
          + " brackets: no seed has, so the number says nothing about the length. A time is that of"
          + " the fastest seed.";

  /** Seeds whose shares differ by so much have no mean that speaks for them. */
  private static final double WIDE = 0.1;

  private static final String INTERVALS =
      "In brackets: the interval of a perplexity, or the lowest and the highest seed if the losses"
          + " of single tokens were not found; of a share, the lowest and the highest seed that"
          + " counts, or the interval of the strings of a single seed; of a time, the fastest and"
          + " the slowest seed.";
  private static final String TRADES =
      "Perplexity at the longest length against each task, of the models that have learned the"
          + " task. Beside a name stands the time of a step. One model beats another if it is at"
          + " least as good in both and better in one; with the time of a step, which counts as"
          + " equal within 10 %, if it is not slower either. The line joins the models that no"
          + " other beats, and a star marks those that no other beats with the time. All are"
          + " estimates, not corrected for the number of models.";

  public ScoreboardPart {
    questions = List.copyOf(questions);
    rows = List.copyOf(rows);
  }

  /**
   * {@return the scoreboard of parts; without content unless some model answers questions on
   * several subjects}
   */
  public static ScoreboardPart of(List<Part> parts) {
    List<Question> all = parts.stream().flatMap(part -> part.questions().stream()).toList();
    Map<String, Set<String>> subjects = new LinkedHashMap<>();
    for (Question question : all) {
      for (Answer answer : question.answers()) {
        subjects
            .computeIfAbsent(question.row(answer.run()), row -> new HashSet<>())
            .add(question.subject());
      }
    }
    return subjects.values().stream().allMatch(ofRow -> ofRow.size() == 1)
        ? new ScoreboardPart(List.of(), List.of())
        : new ScoreboardPart(all, sorted(subjects.keySet(), all));
  }

  /** By the perplexity at the longest length, the last of the perplexities. */
  private static List<String> sorted(Set<String> rows, List<Question> questions) {
    Optional<Question> text =
        questions.stream()
            .filter(one -> one.measure() == Measure.PERPLEXITY)
            .reduce((first, last) -> last);
    return rows.stream()
        .sorted(RunName.paperFirst())
        .sorted(
            Comparator.comparingDouble(
                row ->
                    text.flatMap(one -> answer(one, row))
                        .map(Answer::value)
                        .orElse(Double.POSITIVE_INFINITY)))
        .toList();
  }

  @Override
  public Stream<String> runs() {
    return rows.stream();
  }

  /** {@return the model of each run that has answered, the name of its row} */
  public Map<String, String> models() {
    Map<String, String> models = new LinkedHashMap<>();
    for (Question question : questions) {
      question.answers().forEach(one -> models.putIfAbsent(one.run(), question.row(one.run())));
    }
    return models;
  }

  /** The answer of a row. A model that is changed at test time has the times of its training. */
  private static Optional<Answer> answer(Question question, String row) {
    String run = question.measure() == Measure.TIME ? RunName.withoutChange(row) : row;
    return question.answers().stream()
        .filter(answer -> question.row(answer.run()).equals(run))
        .findFirst();
  }

  @Override
  public Map<String, String> files() {
    return questions.isEmpty() ? Map.of() : Map.of(NAME + ".csv", csv());
  }

  /** A line for each answer, then one for each reference, which has no interval and no seeds. */
  private String csv() {
    List<String> lines = new ArrayList<>(List.of("model,question,value,low,high,seeds,learned"));
    for (String row : rows) {
      for (Question question : questions) {
        answer(question, row)
            .ifPresent(
                one ->
                    lines.add(
                        line(row, question, one.value())
                            + ("," + one.interval().low() + "," + one.interval().high())
                            + ("," + one.seeds() + "," + one.learned())));
      }
    }
    for (Question question : questions) {
      question
          .references()
          .forEach(one -> lines.add(line(one.name(), question, one.value()) + ",,,,"));
    }
    return String.join("\n", lines) + "\n";
  }

  private static String line(String model, Question question, double value) {
    return "\"%s\",\"%s\",%s".formatted(model, question.title(), value);
  }

  @Override
  public List<Section> sections(Looks looks) {
    if (questions.isEmpty()) {
      return List.of();
    }
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Table(table("Scoreboard", CAPTION, this::cell), Place.BOTH));
    TableText detailed =
        table("Scoreboard with intervals", INTERVALS, ScoreboardPart::withInterval);
    blocks.add(
        new Folded(
            "Intervals and seeds", "", false, true, List.of(new Table(detailed, Place.BOTH))));
    List<Chart> charts = charts(looks);
    if (!charts.isEmpty()) {
      blocks.add(new Note(TRADES));
      charts.forEach(chart -> blocks.add(new Figure(chart, true)));
    }
    return List.of(new Section("Scoreboard", blocks));
  }

  private TableText table(String title, String caption, BiFunction<Question, Answer, Entry> cell) {
    Columns<String> columns = new Columns<String>().words("model", RunName::heading);
    for (Question question : questions) {
      columns.number(
          question.title() + (question.isShare() ? ", %" : ""),
          row ->
              answer(question, row)
                  .map(answer -> cell.apply(question, answer))
                  .orElse(Entry.of(Numbers.MISSING)));
    }
    return columns.of(title, rows, List.of(caption)).withFoot(foot());
  }

  /** The number with what a mean hides; in brackets if no seed has learned. */
  private Entry cell(Question question, Answer answer) {
    String number = question.number(answer.value());
    List<String> hidden = new ArrayList<>();
    Interval range = answer.interval();
    if (question.isShare() && answer.learned() > 1 && range.high() - range.low() >= WIDE) {
      hidden.add(question.number(range.low()) + "–" + question.number(range.high()));
    }
    if (answer.isLearned() && answer.learned() < answer.seeds()) {
      hidden.add("%s of %s".formatted(answer.learned(), answer.seeds()));
    } else if (question.measure() != Measure.TIME && answer.seeds() < mostSeeds()) {
      hidden.add(Count.of(answer.seeds(), "seed"));
    }
    String note = hidden.isEmpty() ? "" : "(" + String.join("; ", hidden) + ")";
    return answer.isLearned()
        ? new Entry(number, note, "", question.shade(answer.value()))
        : Entry.inBrackets(number, note);
  }

  private int mostSeeds() {
    return questions.stream()
        .filter(question -> question.measure() != Measure.TIME)
        .flatMap(question -> question.answers().stream())
        .mapToInt(Answer::seeds)
        .max()
        .orElseThrow();
  }

  private static Entry withInterval(Question question, Answer answer) {
    String seeds = Count.of(answer.seeds(), "seed");
    return new Entry(
        question.number(answer.value()),
        "(%s–%s; %s)"
            .formatted(
                question.number(answer.interval().low()),
                question.number(answer.interval().high()),
                answer.learned() == answer.seeds()
                    ? seeds
                    : seeds + ", " + answer.learned() + " learned"),
        "");
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
                                    .map(one -> question.number(one.value()))
                                    .orElse(Numbers.MISSING))
                        .toList()))
        .toList();
  }

  private List<Question> all(Measure measure) {
    return questions.stream().filter(one -> one.measure() == measure).toList();
  }

  /** A chart for each task that two models have learned; none without perplexities. */
  private List<Chart> charts(Looks looks) {
    List<Question> texts = all(Measure.PERPLEXITY);
    if (texts.isEmpty()) {
      return List.of();
    }
    Question text = texts.get(texts.size() - 1);
    Optional<Question> cost = all(Measure.TIME).stream().findFirst();
    return questions.stream()
        .filter(Question::isShare)
        .map(share -> new TradeChart(text, share, trades(text, share, cost)))
        .filter(chart -> chart.trades().size() > 1)
        .map(chart -> chart.of(looks, cost))
        .toList();
  }

  private List<Trade> trades(Question text, Question share, Optional<Question> cost) {
    List<Trade> trades = new ArrayList<>();
    for (String row : rows) {
      Optional<Answer> perplexity = answer(text, row);
      Optional<Answer> right = answer(share, row).filter(Answer::isLearned);
      if (perplexity.isPresent() && right.isPresent()) {
        OptionalDouble time =
            cost.flatMap(one -> answer(one, row)).stream().mapToDouble(Answer::value).findFirst();
        trades.add(new Trade(row, perplexity.get().value(), right.get().value(), time));
      }
    }
    return trades;
  }
}
