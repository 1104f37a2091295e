package org.lengthwise.report.training;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lengthwise.report.form.Looks;
import org.lengthwise.report.form.Part;
import org.lengthwise.report.form.Question;
import org.lengthwise.report.form.Question.Answer;
import org.lengthwise.report.form.Section;
import org.lengthwise.report.form.Section.Block;
import org.lengthwise.report.form.Section.Figure;
import org.lengthwise.report.form.Section.Note;
import org.lengthwise.report.form.Section.Origin;
import org.lengthwise.report.form.Section.Place;
import org.lengthwise.report.form.Section.Table;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.statistics.Interval;

/**
 * The training of the runs, and the models behind the results.
 *
 * @param trained the trained runs that were found, one for each run and seed
 * @param results the perplexities, which name the measured models
 */
public record TrainingPart(List<TrainedRun> trained, List<EvaluationResult> results)
    implements Part {
  private static final double MILLI = 1e3;

  /** Copies the lists. */
  public TrainingPart {
    trained = List.copyOf(trained);
    results = List.copyOf(results);
  }

  /** {@return the losses of each run and seed during training} */
  public List<RunLosses> losses() {
    return trained.stream()
        .map(run -> new RunLosses(run.run(), run.seed(), run.training(), run.validation()))
        .toList();
  }

  @Override
  public Stream<String> runs() {
    return trained.stream().map(TrainedRun::run);
  }

  /** The time of a training step on the text, in milliseconds. */
  @Override
  public List<Question> questions() {
    List<Answer> answers =
        trained.stream()
            .filter(run -> run.subject().equals(Question.TEXT) && run.stepSeconds() > 0)
            .collect(
                Collectors.groupingBy(TrainedRun::run, LinkedHashMap::new, Collectors.toList()))
            .entrySet()
            .stream()
            .map(run -> milliseconds(run.getKey(), run.getValue()))
            .toList();
    return answers.isEmpty()
        ? List.of()
        : List.of(
            new Question(Question.TEXT, "ms a step", Question.Measure.TIME, answers, List.of()));
  }

  private static Answer milliseconds(String run, List<TrainedRun> seeds) {
    double first = MILLI * seeds.get(0).stepSeconds();
    Interval none = new Interval(first, first);
    return Answer.of(run, seeds, one -> MILLI * one.stepSeconds(), none, seeds.size());
  }

  @Override
  public List<Section> sections(Looks looks) {
    return List.of(training(looks), origins());
  }

  private Section training(Looks looks) {
    return new Section(
        "Training",
        trained.isEmpty()
            ? List.of()
            : List.of(
                new Note(
                    "Lines: the running mean of the training loss, for each seed. Markers:"
                        + " validation loss."),
                new Figure(LossChart.ofReport(trained, looks), true),
                new Table(ModelTable.ofTraining(trained), Place.PAGE)));
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
    trained.forEach(run -> blocks.add(new Origin(run.run(), run.seed(), run.description())));
    return new Section("Runs", blocks);
  }
}
