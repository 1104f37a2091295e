package org.lengthwise.generate;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.positional.attention.WatchedAttention.Weights;

/**
 * The attention of one head over a given input.
 *
 * @param block the block, from 0
 * @param level the level l, from 0
 * @param head the head, from 0
 * @param weights a row for each query, which sums to 1 unless the scheme keeps a rest; 0 where a
 *     mask forbids a key. There are columns for positions before the start if a scheme reads them
 */
@SuppressWarnings("ArrayRecordComponent") // Read in loops, and never compared.
public record AttentionMap(int block, int level, int head, float[][] weights) {

  /**
   * {@return the maps of all executed layers and heads; empty if the model has no attention over
   * its positions}
   *
   * @param model a model in float32
   * @param manager the parent of the manager of the pass
   */
  public static Optional<List<AttentionMap>> of(
      LanguageModel model, NDManager manager, int[] tokens) {
    List<AttentionMap> maps = new ArrayList<>();
    return model
        .watched(weights -> add(weights, tokens.length, maps))
        .map(
            watched -> {
              try (NDManager pass = manager.newSubManager()) {
                long[] ids = Arrays.stream(tokens).asLongStream().toArray();
                watched.hidden(watched.embed(pass.create(ids, new Shape(1, ids.length))));
              }
              return maps;
            });
  }

  private static void add(Weights layer, int length, List<AttentionMap> maps) {
    NDArray weights_BHnn = layer.weights_BHnn();
    int heads = Math.toIntExact(weights_BHnn.getShape().get(1));
    int keys = Math.toIntExact(weights_BHnn.getShape().get(3));
    float[] all = weights_BHnn.toFloatArray();
    for (int h = 0; h < heads; h++) {
      float[][] rows = new float[length][];
      for (int i = 0; i < length; i++) {
        int first = (h * keys + keys - length + i) * keys;
        rows[i] = Arrays.copyOfRange(all, first, first + keys);
      }
      maps.add(new AttentionMap(layer.block(), layer.level(), h, rows));
    }
  }

  /** {@return the number of columns for positions before the start} */
  public int padding() {
    return weights[0].length - weights.length;
  }

  /**
   * {@return the mean weight on some positions, over the queries that have such positions; NaN if
   * there are none}
   */
  public double share(List<BitSet> selected) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i < weights.length; i++) {
      float[] row = weights[i];
      sum += selected.get(i).stream().mapToDouble(j -> row[padding() + j]).sum();
      count += selected.get(i).isEmpty() ? 0 : 1;
    }
    return sum / count;
  }
}
