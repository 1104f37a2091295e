package org.lengthwise.report.training;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.lengthwise.report.form.Groups;
import org.lengthwise.report.form.Looks;
import org.lengthwise.report.form.Part;
import org.lengthwise.report.form.Question;
import org.lengthwise.report.form.Question.Answer;
import org.lengthwise.report.form.RunName;
import org.lengthwise.report.form.Section;
import org.lengthwise.report.form.Section.Block;
import org.lengthwise.report.form.Section.Figure;
import org.lengthwise.report.form.Section.Note;
import org.lengthwise.report.form.Section.Origin;
import org.lengthwise.report.form.Section.Place;
import org.lengthwise.report.form.Section.Table;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.result.TrialResult;
import org.lengthwise.statistics.Interval;

/** The training of the runs, and the models behind the results. */
public record TrainingPart(
    List<TrainedRun> trained, List<EvaluationResult> results, List<TrialResult> trials)
    implements Part {
  private static final double MILLI = 1e3;
  private static final double MICRO = 1e6;

  /** With more runs their configurations, a page each, are not printed. */
  private static final int MOST_PRINTED = 30;

  /** The scheme whose time is the unit: it adds nothing to attention. */
  private static final String BASE = "none";

  public TrainingPart {
    trained = List.copyOf(trained);
    results = List.copyOf(results);
    trials = List.copyOf(trials);
  }

  public List<RunLosses> losses() {
    return trained.stream()
        .map(run -> new RunLosses(run.run(), run.seed(), run.training(), run.validation()))
        .toList();
  }

  @Override
  public Stream<String> runs() {
    return trained.stream().map(TrainedRun::run);
  }

  /** The times of a training step and of a forward pass on the text. */
  @Override
  public List<Question> questions() {
    return Stream.of(
            time("step", "ms", MILLI, TrainedRun::stepSeconds),
            time("forward", "µs a token", MICRO, TrainedRun::passSeconds))
        .flatMap(Optional::stream)
        .toList();
  }

  /**
   * How long something takes in the fastest seed; if a model has no positions, as a multiple of its
   * time.
   */
  private Optional<Question> time(
      String title, String unit, double scale, ToDoubleFunction<TrainedRun> seconds) {
    Map<String, List<TrainedRun>> timed =
        trained.stream()
            .filter(run -> run.subject().equals(Question.TEXT) && seconds.applyAsDouble(run) > 0)
            .collect(Groups.by(TrainedRun::run));
    OptionalDouble base =
        timed.entrySet().stream()
            .filter(run -> RunName.withoutSubject(run.getKey(), Question.TEXT).equals(BASE))
            .flatMap(run -> run.getValue().stream())
            .mapToDouble(seconds)
            .min();
    ToDoubleFunction<TrainedRun> shown =
        run -> seconds.applyAsDouble(run) * (base.isPresent() ? 1 / base.getAsDouble() : scale);
    List<Answer> answers =
        timed.entrySet().stream().map(run -> answer(run.getKey(), run.getValue(), shown)).toList();
    String full = title + (base.isPresent() ? " / " + BASE : ", " + unit);
    return answers.isEmpty()
        ? Optional.empty()
        : Optional.of(new Question(Question.TEXT, full, Question.Measure.TIME, answers, List.of()));
  }

  private static Answer answer(
      String run, List<TrainedRun> seeds, ToDoubleFunction<TrainedRun> shown) {
    DoubleSummaryStatistics times = seeds.stream().mapToDouble(shown).summaryStatistics();
    Interval interval = new Interval(times.getMin(), times.getMax());
    return new Answer(run, times.getMin(), interval, seeds.size(), seeds.size());
  }

  @Override
  public List<Section> sections(Looks looks) {
    return List.of(training(looks), search(), origins());
  }

  private Section search() {
    return new Section(
        "Search",
        trials.isEmpty()
            ? List.of()
            : List.of(new Table(TrialTable.of(trials).table(), Place.BOTH)));
  }

  @Override
  public Map<String, String> files() {
    return trials.isEmpty() ? Map.of() : Map.of("search.csv", TrialTable.of(trials).csv());
  }

  private Section training(Looks looks) {
    List<Block> blocks = new ArrayList<>();
    if (!trained.isEmpty()) {
      blocks.add(
          new Note(
              "Lines: the running mean of the training loss, for each seed. Markers: validation"
                  + " loss."));
      LossChart.ofReport(trained, looks).forEach(chart -> blocks.add(new Figure(chart, true)));
      blocks.add(new Table(ModelTable.ofTraining(trained), Place.PAGE));
    }
    return new Section("Training", blocks);
  }

  private Section origins() {
    List<Block> blocks = new ArrayList<>();
    if (!results.isEmpty()) {
      blocks.add(new Table(ModelTable.of(results), Place.BOTH));
    }
    trained.stream()
        .flatMap(run -> run.formula().stream())
        .distinct()
        .forEach(formula -> blocks.add(new Note(formula)));
    boolean printed = trained.size() <= MOST_PRINTED;
    trained.forEach(
        run -> blocks.add(new Origin(run.run(), run.seed(), run.description(), printed)));
    return new Section("Runs", blocks);
  }
}
