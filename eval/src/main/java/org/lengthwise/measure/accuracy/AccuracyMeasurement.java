package org.lengthwise.measure.accuracy;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lengthwise.artifact.AtomicFile;
import org.lengthwise.automaton.RegularTask;
import org.lengthwise.automaton.Rule;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.error.Count;
import org.lengthwise.measure.CheckpointMeasurement;
import org.lengthwise.measure.LoadedModel;
import org.lengthwise.measure.MeasuredModel;
import org.lengthwise.measure.MeasurementFolder;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.AccuracyResult.Baseline;
import org.lengthwise.result.AccuracyResult.Drawn;
import org.lengthwise.result.AccuracyResult.Share;
import org.lengthwise.result.AccuracyResult.Strings;
import org.lengthwise.result.ModelState;
import org.lengthwise.result.ResultFile;
import org.lengthwise.task.Samples;
import org.lengthwise.task.StringClassification;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.config.RegularConfig;

/**
 * The accuracy of given classifiers. A cell is one model on the strings of one draw and length: a
 * line of {@code accuracy.jsonl} and one of {@code predictions.jsonl}.
 */
final class AccuracyMeasurement extends CheckpointMeasurement<AccuracyMeasurement.Cell> {
  private static final ObjectMapper MAPPER = ConfigLoader.strictMapper();
  private static final String PREDICTIONS = "predictions";

  private final Accuracy accuracy;

  AccuracyMeasurement(Accuracy accuracy, List<Checkpoint> checkpoints) {
    super(
        checkpoints,
        accuracy.settings(),
        MeasuredModel.ofAll(checkpoints, List.of(PositionChange.NONE)).stream()
            .flatMap(model -> cells(accuracy, model))
            .toList());
    this.accuracy = accuracy;
  }

  record Cell(MeasuredModel model, Draw draw, int length) {
    RegularTask task() {
      return model.checkpoint().stringTask().drawn(draw.negatives(), draw.p()).orElseThrow();
    }

    boolean isOf(AccuracyResult result) {
      return result.subject().isSameModel(model.described())
          && result.strings().settings().equals(draw.settings())
          && result.strings().length() == length;
    }
  }

  /** One line of {@code predictions.jsonl}. */
  @SuppressWarnings("ArrayRecordComponent") // Written and never compared.
  private record Prediction(
      String run, long seed, String task, @JsonUnwrapped Draw draw, int length, int[] predicted) {}

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
    List<Integer> readable = model.readable(accuracy.lengths(), task.task().sampler()::numSymbols);
    return accuracy.draws(task).stream()
        .flatMap(draw -> readable.stream().map(length -> new Cell(model, draw, length)));
  }

  @Override
  public long tokens(Cell cell) {
    return (long) cell.length() * accuracy.samples();
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
                AccuracyResult.LABELS,
                cell.model().described(),
                new Strings(
                    task.name(),
                    cell.draw().settings(),
                    Drawn.TEST,
                    cell.length(),
                    strings.size(),
                    accuracy.seed()),
                new Share("strings", numEqual(found, labels), strings.size()))
            .with(baselines(task, strings, labels));
    Prediction line =
        new Prediction(
            result.run(), result.subject().seed(), task.name(), cell.draw(), cell.length(), found);
    AtomicFile.write(
        MeasurementFolder.part(folder, PREDICTIONS, cells().indexOf(cell)),
        out -> {
          out.write(MAPPER.writeValueAsBytes(line));
          out.write('\n');
        });
    ResultFile.ACCURACIES.append(folder, result);
    return "%s on %s at %s: %s"
        .formatted(
            result.run(),
            result.label(),
            cell.length(),
            Count.of(result.share(0).errors(), "error"));
  }

  private List<int[]> strings(RegularTask task, Cell cell) {
    return StringClassification.strings(
        task,
        cell.length(),
        accuracy.samples(),
        new RandomStreams(accuracy.seed()),
        cell.draw().stream(cell.length()));
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

  @Override
  public void summarise(Path folder) throws IOException {
    MeasurementFolder.join(folder, PREDICTIONS);
  }

  /** Each label as a constant answer, and the rules that need no states. */
  private static List<Baseline> baselines(RegularTask task, List<int[]> strings, int[] labels) {
    List<Baseline> all = new ArrayList<>();
    for (int label = 0; label < task.automaton().numLabels(); label++) {
      int constant = label;
      long right = Arrays.stream(labels).filter(found -> found == constant).count();
      all.add(new Baseline("label " + label, true, List.of(right)));
    }
    for (Rule rule : task.rules()) {
      int[] found = strings.stream().mapToInt(rule::label).toArray();
      all.add(new Baseline(rule.name(), false, List.of(numEqual(found, labels))));
    }
    return all;
  }

  private static long numEqual(int[] found, int[] expected) {
    return IntStream.range(0, found.length).filter(i -> found[i] == expected[i]).count();
  }
}
