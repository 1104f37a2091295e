package org.lengthwise.measure.states;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.lengthwise.automaton.RegularTask;
import org.lengthwise.measure.LoadedModel;
import org.lengthwise.measure.MeasuredModel;
import org.lengthwise.measure.Measurement;
import org.lengthwise.measure.MeasurementFile;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.result.ModelState;
import org.lengthwise.result.ResultFile;
import org.lengthwise.result.StatesResult;
import org.lengthwise.statistics.PrincipalComponents;
import org.lengthwise.task.Samples;
import org.lengthwise.task.StringClassification;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.device.Devices;

/**
 * The outputs of given classifiers. A cell is one model with one set of weights: a line of {@code
 * states.jsonl}.
 */
final class StatesMeasurement implements Measurement<StatesMeasurement.Cell>, AutoCloseable {
  private final States states;
  private final List<Checkpoint> checkpoints;
  private final List<Cell> cells;
  private final LoadedModel.Loader loader;

  StatesMeasurement(States states, List<Checkpoint> checkpoints) {
    this.states = states;
    this.checkpoints = checkpoints;
    this.cells =
        MeasuredModel.ofAll(checkpoints, List.of(PositionScaling.NONE)).stream()
            .flatMap(
                model -> Arrays.stream(ModelState.values()).map(state -> new Cell(model, state)))
            .toList();
    this.loader = new LoadedModel.Loader(states.settings());
  }

  /**
   * One line of results.
   *
   * @param model the model
   * @param state the trained or the untrained weights
   */
  record Cell(MeasuredModel model, ModelState state) {
    boolean isOf(StatesResult result) {
      return result.subject().isSameModel(model.described()) && result.weights() == state;
    }
  }

  /**
   * All values that decide the numbers of the measurement.
   *
   * @param checkpoints the checkpoints, which state their tasks
   * @param states the strings and the settings
   * @param tf32 whether products in float32 were TF32; the key is absent if they were not
   */
  private record Description(
      List<MeasurementFile.Subject> checkpoints,
      @JsonUnwrapped States states,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean tf32) {}

  @Override
  public String name() {
    return "states";
  }

  @Override
  public Record description() {
    return new Description(
        checkpoints.stream().map(MeasurementFile.Subject::of).toList(),
        states,
        states.settings().usesTf32());
  }

  @Override
  public void requireFeasible() {
    Devices.of(states.settings().device());
  }

  @Override
  public List<Cell> cells() {
    return cells;
  }

  @Override
  public long tokens(Cell cell) {
    return (long) states.length() * states.samples();
  }

  @Override
  public Set<Cell> finished(Path folder) throws IOException {
    List<StatesResult> results = ResultFile.STATES.values(folder);
    return cells.stream()
        .filter(cell -> results.stream().anyMatch(cell::isOf))
        .collect(Collectors.toSet());
  }

  @Override
  public String measure(Cell cell, Path folder, LongConsumer done) throws IOException {
    RegularTask task = cell.model().checkpoint().stringTask().task();
    List<Tree> trees = trees(loader.load(cell.model(), cell.state()), task, done);
    PrincipalComponents components = PrincipalComponents.of(Tree.outputs(trees));
    StatesResult result =
        StatesResult.of(
            cell.model().described(),
            cell.state(),
            new StatesResult.Strings(task.name(), states.length(), states.samples(), states.seed()),
            Tree.measured(trees, components),
            trees.get(0).projected(components));
    ResultFile.STATES.append(folder, result);
    return "%s %s: %.3f nearest to their own map"
        .formatted(result.run(), cell.state().label(), result.outputs().nearestShare());
  }

  private List<Tree> trees(LoadedModel loaded, RegularTask task, LongConsumer done) {
    List<int[]> strings =
        StringClassification.strings(
            task,
            states.length(),
            states.samples(),
            new RandomStreams(states.seed()),
            "states/%d/".formatted(states.length()));
    RegularGpt scheme = (RegularGpt) loaded.model().config().position();
    int batch =
        loaded
            .plan(states.settings().memoryLimitMegabytes())
            .forwardSequences(strings.get(0).length, true);
    List<Tree> trees = new ArrayList<>();
    for (int first = 0; first < strings.size(); first += batch) {
      List<int[]> some = strings.subList(first, Math.min(strings.size(), first + batch));
      try (NDManager pass = loaded.manager().newSubManager()) {
        NDArray tokens_BT = Samples.labelled(some, task.automaton()).on(pass).tokens_BT();
        List<NDArray> levels = loaded.model().levels(loaded.model().embed(tokens_BT, false));
        for (int b = 0; b < some.size(); b++) {
          NDIndex string = new NDIndex("{}", b);
          List<List<float[]>> outputs =
              levels.stream().map(level_Bnd -> rows(level_Bnd.get(string))).toList();
          trees.add(Tree.of(outputs, some.get(b), task.automaton(), scheme));
        }
      }
      done.accept((long) trees.size() * states.length());
    }
    return trees;
  }

  private static List<float[]> rows(NDArray rows_nd) {
    int width = Math.toIntExact(rows_nd.getShape().get(1));
    float[] values = rows_nd.toFloatArray();
    return IntStream.range(0, values.length / width)
        .mapToObj(i -> Arrays.copyOfRange(values, i * width, (i + 1) * width))
        .toList();
  }

  @Override
  public void close() {
    loader.close();
  }
}
