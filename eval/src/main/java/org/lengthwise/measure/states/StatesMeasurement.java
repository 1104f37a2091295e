package org.lengthwise.measure.states;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.lengthwise.automaton.RegularTask;
import org.lengthwise.measure.CheckpointMeasurement;
import org.lengthwise.measure.LoadedModel;
import org.lengthwise.measure.MeasuredModel;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.result.ModelState;
import org.lengthwise.result.ResultFile;
import org.lengthwise.result.StatesResult;
import org.lengthwise.statistics.PrincipalComponents;
import org.lengthwise.task.Samples;
import org.lengthwise.task.StringClassification;
import org.lengthwise.training.checkpoint.Checkpoint;

/**
 * The outputs of given classifiers. A cell is one model with one set of weights: a line of {@code
 * states.jsonl}.
 */
final class StatesMeasurement extends CheckpointMeasurement<StatesMeasurement.Cell> {
  private final States states;

  StatesMeasurement(States states, List<Checkpoint> checkpoints) {
    super(
        checkpoints,
        states.settings(),
        MeasuredModel.ofAll(checkpoints, List.of(PositionChange.NONE)).stream()
            .flatMap(
                model -> Arrays.stream(ModelState.values()).map(state -> new Cell(model, state)))
            .toList());
    this.states = states;
  }

  record Cell(MeasuredModel model, ModelState state) {
    boolean isOf(StatesResult result) {
      return result.subject().isSameModel(model.described()) && result.weights() == state;
    }
  }

  @Override
  public String name() {
    return "states";
  }

  @Override
  protected Record ownDescription() {
    return states;
  }

  @Override
  public long tokens(Cell cell) {
    return (long) states.length() * states.samples();
  }

  @Override
  public Set<Cell> finished(Path folder) throws IOException {
    return finished(ResultFile.STATES.values(folder), Cell::isOf);
  }

  @Override
  public String measure(Cell cell, Path folder, LongConsumer done) throws IOException {
    RegularTask task = cell.model().checkpoint().stringTask().task();
    List<Tree> trees = trees(load(cell.model(), cell.state()), task, done);
    PrincipalComponents components = PrincipalComponents.of(Tree.outputs(trees));
    StatesResult result =
        StatesResult.of(
            cell.model().described(),
            cell.state(),
            new StatesResult.Strings(task.name(), states.length(), states.samples(), states.seed()),
            Tree.measured(trees, components),
            trees.get(0).projected(components));
    ResultFile.STATES.append(folder, result);
    return String.format(
        Locale.ROOT,
        "%s %s: %.3f nearest to their own map",
        result.run(),
        cell.state().label(),
        result.outputs().nearestShare());
  }

  private List<Tree> trees(LoadedModel loaded, RegularTask task, LongConsumer done) {
    List<int[]> strings =
        StringClassification.strings(
            task,
            states.length(),
            states.samples(),
            new RandomStreams(states.seed()),
            "states/%s/".formatted(states.length()));
    PositionalScheme scheme = loaded.model().config().position();
    int batch = plan(loaded).forwardSequences(strings.get(0).length, true);
    List<Tree> trees = new ArrayList<>();
    for (int first = 0; first < strings.size(); first += batch) {
      List<int[]> some = strings.subList(first, Math.min(strings.size(), first + batch));
      try (NDManager pass = loaded.manager().newSubManager()) {
        NDArray tokens_BT = Samples.labelled(some, task.automaton()).on(pass).tokens_BT();
        List<NDArray> levels = loaded.model().levels(loaded.model().embed(tokens_BT));
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
}
