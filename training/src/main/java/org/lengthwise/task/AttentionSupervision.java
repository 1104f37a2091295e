package org.lengthwise.task;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.lengthwise.error.ConfigException;
import org.lengthwise.kernel.EngineMemory;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.positional.attention.WatchedAttention.Weights;
import org.lengthwise.rasp.SOp;
import org.lengthwise.recall.Rasp;
import org.lengthwise.recall.RecallTask;
import org.lengthwise.training.config.TrainingConfig;

/**
 * A loss that draws the attention of heads to what a RASP program selects: the mean squared
 * difference to uniform weights over the selected positions, times a factor. Head i of layer l of
 * the program is head i of block l; other heads are free. A row that selects nothing has the
 * difference 0.
 *
 * @param task the task with the program and the factor
 */
record AttentionSupervision(Rasp task) {

  /** The supervision that a task asks for. */
  static Optional<AttentionSupervision> of(RecallTask task, TrainingConfig run) {
    if (!(task instanceof Rasp rasp) || rasp.attention() == 0) {
      return Optional.empty();
    }
    List<Integer> heads = rasp.language().sOp().heads();
    ModelConfig model = run.modelConfig(1);
    boolean hasHeads =
        model.layers() >= heads.size()
            && heads.stream().allMatch(number -> number <= model.heads())
            && !model.form().causal();
    if (!hasHeads || run.training().precision() != Precision.FLOAT32) {
      throw new ConfigException(
          "task.attention",
          "a model with causal: false in float32, with at least the heads of attention of the program,"
              + " by layer: "
              + heads,
          "%s layers of %s heads in %s, causal: %s"
              .formatted(
                  model.layers(),
                  model.heads(),
                  run.training().precision().label(),
                  model.form().causal()),
          "change the section model or training.precision, or leave the key out");
    }
    return Optional.of(new AttentionSupervision(rasp));
  }

  /** {@return the sum over all heads of the program, a scalar with its graph} */
  NDArray loss(NDArray tokens_BT, List<Weights> attention) {
    int batch = Math.toIntExact(tokens_BT.getShape().get(0));
    long[] tokens = tokens_BT.toLongArray();
    int length = tokens.length / batch;
    List<List<SOp.Head>> selected = new ArrayList<>();
    for (int b = 0; b < batch; b++) {
      int[] ids = new int[length];
      Arrays.setAll(ids, tokenAt(tokens, b * length));
      selected.add(task.language().sOp().selected(task.text(ids)));
    }
    NDList losses = new NDList();
    for (int h = 0; h < selected.get(0).size(); h++) {
      SOp.Head head = selected.get(0).get(h);
      NDArray weights_BTT =
          attention.get(head.layer()).weights_BHnn().get(new NDIndex(":, {}", head.index()));
      losses.add(meanSquare(weights_BTT, rows(selected, h)));
    }
    NDArray sum = NDArrays.stack(losses).sum();
    return sum.mul(EngineMemory.scalar(sum.getManager(), (float) task.attention()));
  }

  private static IntUnaryOperator tokenAt(long[] tokens, int first) {
    return t -> Math.toIntExact(tokens[first + t]);
  }

  /** What a head selects in each row of a batch. */
  private static List<BitSet> rows(List<List<SOp.Head>> selected, int head) {
    return selected.stream().flatMap(heads -> heads.get(head).rows().stream()).toList();
  }

  private static NDArray meanSquare(NDArray weights_BTT, List<BitSet> rows) {
    int length = Math.toIntExact(weights_BTT.getShape().get(2));
    float[] expected = new float[rows.size() * length];
    float[] counted = new float[rows.size()];
    for (int row = 0; row < rows.size(); row++) {
      BitSet keys = rows.get(row);
      counted[row] = keys.isEmpty() ? 0 : 1;
      int first = row * length;
      keys.stream().forEach(j -> expected[first + j] = 1.0f / keys.cardinality());
    }
    NDManager manager = weights_BTT.getManager();
    NDArray expected_NT = EngineMemory.tensor(manager, expected, new Shape(rows.size(), length));
    NDArray counted_N1 = EngineMemory.tensor(manager, counted, new Shape(rows.size(), 1));
    return weights_BTT
        .reshape(expected_NT.getShape())
        .sub(expected_NT)
        .mul(counted_N1)
        .square()
        .mean();
  }
}
