package org.lengthwise.measure.accuracy;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lengthwise.automaton.Negatives;
import org.lengthwise.automaton.RegularTask;
import org.lengthwise.automaton.Rule;
import org.lengthwise.error.Count;
import org.lengthwise.measure.CheckpointMeasurement;
import org.lengthwise.measure.LoadedModel;
import org.lengthwise.measure.MeasuredModel;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.AccuracyResult.Draw;
import org.lengthwise.result.AccuracyResult.RuleErrors;
import org.lengthwise.result.AccuracyResult.Strings;
import org.lengthwise.result.ModelState;
import org.lengthwise.result.ResultFile;
import org.lengthwise.task.Samples;
import org.lengthwise.task.StringClassification;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.config.RegularConfig;

/**
 * The accuracy of given classifiers. A cell is one model on the strings of one draw and length: a
 * line of {@code accuracy.jsonl}.
 */
final class AccuracyMeasurement extends CheckpointMeasurement<AccuracyMeasurement.Cell> {
  private final Accuracy accuracy;

  AccuracyMeasurement(Accuracy accuracy, List<Checkpoint> checkpoints) {
    super(
        checkpoints,
        accuracy.config().settings(),
        MeasuredModel.ofAll(checkpoints, List.of(PositionChange.NONE)).stream()
            .flatMap(model -> cells(accuracy, model))
            .toList());
    this.accuracy = accuracy;
  }

  /**
   * One line of results.
   *
   * @param model the model
   * @param draw how strings are drawn
   * @param length T
   */
  record Cell(MeasuredModel model, Draw draw, int length) {
    RegularTask task() {
      Negatives negatives = Objects.requireNonNull(draw.negatives(), "strings are drawn");
      double p = Objects.requireNonNull(draw.p(), "strings are drawn");
      return model.checkpoint().stringTask().drawn(negatives, p).orElseThrow();
    }

    boolean isOf(AccuracyResult result) {
      return result.subject().isSameModel(model.described())
          && result.strings().draw().equals(draw)
          && result.strings().length() == length;
    }
  }

  @Override
  public String name() {
    return "evaluate";
  }

  @Override
  protected Record ownDescription() {
    return accuracy;
  }

  private static Stream<Cell> cells(Accuracy accuracy, MeasuredModel model) {
    RegularConfig task = model.checkpoint().stringTask();
    List<Integer> readable =
        model.readable(
            accuracy.lengths().forTraining(model.checkpoint().origin().length()),
            task.task().sampler()::numSymbols);
    return accuracy.draws(task).stream()
        .flatMap(draw -> readable.stream().map(length -> new Cell(model, draw, length)));
  }

  @Override
  public long tokens(Cell cell) {
    return (long) cell.length() * accuracy.config().samples();
  }

  @Override
  public Set<Cell> finished(Path folder) throws IOException {
    return finished(ResultFile.ACCURACIES.values(folder), Cell::isOf);
  }

  @Override
  public String measure(Cell cell, Path folder, LongConsumer done) throws IOException {
    RegularTask task = cell.task();
    List<int[]> strings = strings(task, cell);
    int[] labels = strings.stream().mapToInt(task.automaton()::label).toArray();
    int[] found = labels(load(cell.model(), ModelState.TRAINED), strings, task, cell, done);
    AccuracyResult result =
        AccuracyResult.of(
            cell.model().described(),
            new Strings(
                task.name(),
                cell.draw(),
                cell.length(),
                strings.size(),
                accuracy.config().seed(),
                counts(labels, task.automaton().numLabels()),
                task.rules().stream().map(rule -> errors(rule, strings, labels)).toList()),
            numDifferent(found, labels));
    ResultFile.ACCURACIES.append(folder, result);
    return "%s on %s at %d: %s"
        .formatted(
            result.run(), cell.draw().label(), cell.length(), Count.of(result.errors(), "error"));
  }

  /** Strings depend on seed, draw and length only: models of one task label the same strings. */
  private List<int[]> strings(RegularTask task, Cell cell) {
    return StringClassification.strings(
        task,
        cell.length(),
        accuracy.config().samples(),
        new RandomStreams(accuracy.config().seed()),
        "accuracy/%s/%s/%d/".formatted(cell.draw().negatives(), cell.draw().p(), cell.length()));
  }

  private int[] labels(
      LoadedModel loaded, List<int[]> strings, RegularTask task, Cell cell, LongConsumer done) {
    int batch = plan(loaded).forwardSequences(strings.get(0).length, true);
    int[] labels = new int[strings.size()];
    for (int first = 0; first < labels.length; first += batch) {
      int end = Math.min(labels.length, first + batch);
      try (NDManager pass = loaded.manager().newSubManager()) {
        Samples some = Samples.labelled(strings.subList(first, end), task.automaton());
        NDArray found = StringClassification.labels(loaded.model(), some.on(pass).tokens_BT());
        int[] part = Arrays.stream(found.toLongArray()).mapToInt(Math::toIntExact).toArray();
        System.arraycopy(part, 0, labels, first, part.length);
      }
      done.accept((long) end * cell.length());
    }
    return labels;
  }

  private static List<Long> counts(int[] labels, int numLabels) {
    return IntStream.range(0, numLabels)
        .mapToObj(label -> Arrays.stream(labels).filter(found -> found == label).count())
        .toList();
  }

  private static RuleErrors errors(Rule rule, List<int[]> strings, int[] labels) {
    int[] found = strings.stream().mapToInt(rule::label).toArray();
    return new RuleErrors(rule.name(), numDifferent(found, labels));
  }

  private static long numDifferent(int[] found, int[] expected) {
    return IntStream.range(0, found.length).filter(i -> found[i] != expected[i]).count();
  }
}
