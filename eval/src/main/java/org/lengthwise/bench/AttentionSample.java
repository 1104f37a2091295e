package org.lengthwise.bench;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.lengthwise.positional.PositionalParameter;
import org.lengthwise.positional.PositionalScheme;

/**
 * Random inputs of one block's attention over one sequence, which float32 holds exactly.
 *
 * @param inputs the row of each position [T, 3d + E] (query, key, value and what it carries), then
 *     the numbers of each parameter [1, n]
 */
record AttentionSample(
    PositionalScheme scheme, int heads, int headWidth, int length, List<double[][]> inputs) {
  /** With heads of width 64 scores are then about as large as in the contract of schemes. */
  private static final double MOST = 1.2;

  static AttentionSample random(
      PositionalScheme scheme, int heads, int headWidth, int length, Random random) {
    int width = heads * headWidth;
    double[][] rows = new double[length][];
    int rowWidth = scheme.rowWidth(heads, width);
    Arrays.setAll(rows, t -> floats(random, rowWidth, -MOST, MOST));
    List<double[][]> inputs = new ArrayList<>();
    inputs.add(rows);
    for (PositionalParameter each : ScalingBench.parameters(scheme, heads, width)) {
      double low = Math.max(-1, each.bounds().low() + 0.05);
      double high = Math.min(low + 1.5, each.bounds().high());
      inputs.add(new double[][] {floats(random, each.size(), low, high)});
    }
    return new AttentionSample(scheme, heads, headWidth, length, inputs);
  }

  private static double[] floats(Random random, int count, double low, double high) {
    return random.doubles(count, low, high).map(x -> (float) x).toArray();
  }

  int levels() {
    return scheme.reach().levels(length);
  }

  /** The inputs as tensors on the manager's device. */
  NDList leaves(NDManager manager) {
    NDList leaves = new NDList();
    leaves.add(tensor(manager, inputs.get(0), new Shape(1, length, inputs.get(0)[0].length)));
    for (PositionalParameter each : ScalingBench.parameters(scheme, heads, heads * headWidth)) {
      long[] axes = each.shape().stream().mapToLong(Integer::longValue).toArray();
      leaves.add(tensor(manager, inputs.get(leaves.size()), new Shape(axes)));
    }
    return leaves;
  }

  private static NDArray tensor(NDManager manager, double[][] numbers, Shape shape) {
    double[] all = Arrays.stream(numbers).flatMapToDouble(Arrays::stream).toArray();
    float[] floats = new float[all.length];
    IntStream.range(0, floats.length).forEach(i -> floats[i] = (float) all[i]);
    NDArray tensor = manager.create(floats, shape);
    tensor.setRequiresGradient(true);
    return tensor;
  }
}
