package org.lengthwise.measure.accuracy;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lengthwise.automaton.RegularTask;
import org.lengthwise.automaton.Rule;
import org.lengthwise.error.Count;
import org.lengthwise.measure.LoadedModel;
import org.lengthwise.measure.MeasuredModel;
import org.lengthwise.measure.Measurement;
import org.lengthwise.measure.MeasurementFile;
import org.lengthwise.positional.PositionScaling;
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
import org.lengthwise.training.device.Devices;

/**
 * The accuracy of given classifiers. A cell is one model on the strings of one draw and length: a
 * line of {@code accuracy.jsonl}.
 */
final class AccuracyMeasurement implements Measurement<AccuracyMeasurement.Cell>, AutoCloseable {
  private final Accuracy accuracy;
  private final List<Checkpoint> checkpoints;
  private final List<Cell> cells;
  private final LoadedModel.Loader loader;

  AccuracyMeasurement(Accuracy accuracy, List<Checkpoint> checkpoints) {
    this.accuracy = accuracy;
    this.checkpoints = checkpoints;
    this.cells =
        MeasuredModel.ofAll(checkpoints, List.of(PositionScaling.NONE)).stream()
            .flatMap(model -> cells(accuracy, model))
            .toList();
    this.loader = new LoadedModel.Loader(accuracy.config().settings());
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
      return model.checkpoint().stringTask().drawn(draw.negatives(), draw.p()).orElseThrow();
    }

    boolean isOf(AccuracyResult result) {
      return result.subject().isSameModel(model.described())
          && result.strings().draw().equals(draw)
          && result.strings().length() == length;
    }
  }

  /**
   * All values that decide the numbers of the measurement.
   *
   * @param checkpoints the checkpoints, which state their tasks
   * @param accuracy the strings and the settings
   * @param tf32 whether products in float32 were TF32; the key is absent if they were not
   */
  private record Description(
      List<MeasurementFile.Subject> checkpoints,
      @JsonUnwrapped Accuracy accuracy,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean tf32) {}

  @Override
  public String name() {
    return "evaluate";
  }

  @Override
  public Record description() {
    return new Description(
        checkpoints.stream().map(MeasurementFile.Subject::of).toList(),
        accuracy,
        accuracy.config().settings().usesTf32());
  }

  @Override
  public void requireFeasible() {
    Devices.of(accuracy.config().settings().device());
  }

  @Override
  public List<Cell> cells() {
    return cells;
  }

  private static Stream<Cell> cells(Accuracy accuracy, MeasuredModel model) {
    List<Integer> readable = model.readable(accuracy.lengths().values(), 0);
    return accuracy.draws(model.checkpoint().stringTask()).stream()
        .flatMap(draw -> readable.stream().map(length -> new Cell(model, draw, length)));
  }

  @Override
  public long tokens(Cell cell) {
    return (long) cell.length() * accuracy.config().samples();
  }

  @Override
  public Set<Cell> finished(Path folder) throws IOException {
    List<AccuracyResult> results = ResultFile.ACCURACIES.values(folder);
    return cells.stream()
        .filter(cell -> results.stream().anyMatch(cell::isOf))
        .collect(Collectors.toSet());
  }

  @Override
  public String measure(Cell cell, Path folder, LongConsumer done) throws IOException {
    RegularTask task = cell.task();
    List<int[]> strings = strings(task, cell);
    int[] labels = strings.stream().mapToInt(task.automaton()::label).toArray();
    int[] found = labels(loader.load(cell.model(), ModelState.TRAINED), strings, task, cell, done);
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
    int batch =
        loaded
            .plan(accuracy.config().settings().memoryLimitMegabytes())
            .forwardSequences(strings.get(0).length, true);
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

  @Override
  public void close() {
    loader.close();
  }
}
