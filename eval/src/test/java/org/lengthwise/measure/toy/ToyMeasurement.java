package org.lengthwise.measure.toy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import org.lengthwise.measure.CheckpointMeasurement;
import org.lengthwise.measure.MeasuredModel;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.AccuracyResult.Drawn;
import org.lengthwise.result.AccuracyResult.Share;
import org.lengthwise.result.AccuracyResult.Strings;
import org.lengthwise.result.ResultFile;
import org.lengthwise.training.checkpoint.Checkpoint;

/** A cell is a model at a length: a line of {@code accuracy.jsonl}. */
final class ToyMeasurement extends CheckpointMeasurement<ToyMeasurement.Cell> {
  private final Toy toy;

  record Cell(MeasuredModel model, int length) {}

  ToyMeasurement(Toy toy, List<Checkpoint> checkpoints) {
    super(
        checkpoints,
        toy.settings(),
        MeasuredModel.ofAll(checkpoints, List.of(PositionChange.NONE)).stream()
            .flatMap(
                model ->
                    model.readable(toy.lengths(), length -> length).stream()
                        .map(length -> new Cell(model, length)))
            .toList());
    this.toy = toy;
  }

  @Override
  public String name() {
    return "toy";
  }

  @Override
  protected Record ownDescription() {
    return toy;
  }

  @Override
  public long tokens(Cell cell) {
    return cell.length();
  }

  @Override
  public Set<Cell> finished(Path folder) throws IOException {
    return finished(
        ResultFile.ACCURACIES.values(folder),
        (cell, line) ->
            line.length() == cell.length() && line.subject().isSameModel(cell.model().described()));
  }

  @Override
  public String measure(Cell cell, Path folder, LongConsumer done) throws IOException {
    int length = cell.length();
    Strings numbers =
        new Strings(
            "numbers", JsonNodeFactory.instance.objectNode(), Drawn.TEST, length, length, null);
    ResultFile.ACCURACIES.append(
        folder,
        AccuracyResult.of(
            "toy",
            cell.model().described(),
            numbers,
            new Share("even numbers", length / 2, length)));
    done.accept(length);
    return "counted";
  }
}
