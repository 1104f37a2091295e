package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import java.util.Optional;
import org.lengthwise.kernel.EngineMemory;
import org.lengthwise.positional.PositionAngles;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Sinusoidal;

/**
 * The position embeddings of an absolute scheme. The input of the first block is scale times the
 * token's embedding plus the position's embedding.
 *
 * @param scale the factor of token embeddings
 * @param positions_Nd the embeddings of the sequence's positions and perhaps later ones, float32
 */
public record PositionEmbedding(double scale, NDArray positions_Nd) {
  /** The numbers that are computed in the Java heap before they become a tensor: 16 MB. */
  private static final int PART_NUMBERS = 1 << 22;

  /**
   * {@return the embedding of a scheme at the positions that the pass draws, or empty if the scheme
   * does not change token embeddings}
   *
   * @param kernels the kernels of the device, which keep a fixed table from position 0 on
   * @param pass the shape of a pass that ends with the sequence's last token
   * @param first the position of the sequence's first token
   */
  public static Optional<PositionEmbedding> of(
      PositionalScheme scheme,
      AttentionKernels kernels,
      Attention.Tensors tensors,
      Attention.Pass pass,
      int first,
      NDManager manager) {
    Attention.Pass sampled = pass.sampledBy(scheme);
    return sampled.sample().isEmpty()
        ? inOrder(scheme, kernels, tensors, pass, first, manager)
        : inOrder(scheme, kernels, tensors, sampled, 0, manager)
            .map(
                all -> {
                  var places = sampled.places().map(it -> Arrays.stream(it).skip(first).toArray());
                  NDArray rows_Nd = kernels.select(all.positions_Nd, 0, places, manager);
                  return new PositionEmbedding(all.scale, rows_Nd);
                });
  }

  private static Optional<PositionEmbedding> inOrder(
      PositionalScheme scheme,
      AttentionKernels kernels,
      Attention.Tensors tensors,
      Attention.Pass pass,
      int first,
      NDManager manager) {
    return switch (scheme.positionTable()) {
      case NONE -> Optional.empty();
      case SINUSOIDAL -> {
        NDArray table_Nd =
            first == 0
                ? kernels.fixed(scheme, pass, owner -> sinusoids(0, pass, owner))
                : sinusoids(first, pass, manager);
        yield Optional.of(new PositionEmbedding(Math.sqrt(pass.width()), table_Nd));
      }
      case LEARNED ->
          Optional.of(new PositionEmbedding(1, from(first, tensors.get("wpe.weight", 0), manager)));
    };
  }

  private static NDArray from(int first, NDArray table_Nd, NDManager manager) {
    if (first == 0) {
      return table_Nd;
    }
    NDArray later_Nd = table_Nd.get(new NDIndex("{}:", first));
    later_Nd.attach(manager);
    return later_Nd;
  }

  private static NDArray sinusoids(int first, Attention.Pass pass, NDManager manager) {
    int width = pass.width();
    int end = pass.range();
    PositionAngles angles = new PositionAngles(Sinusoidal.frequencies(width), 1, first);
    NDList parts = new NDList();
    int most = Math.max(1, PART_NUMBERS / width);
    for (int position = first; position < end; position += most) {
      int rows = Math.min(most, end - position);
      float[] values = sinusoids(angles, rows, width);
      parts.add(EngineMemory.tensor(manager, values, new Shape(rows, width)));
    }
    return parts.size() == 1 ? parts.get(0) : NDArrays.concat(parts);
  }

  /** The embeddings of the next positions. */
  private static float[] sinusoids(PositionAngles angles, int rows, int width) {
    float[] values = new float[rows * width];
    for (int row = 0; row < rows; row++) {
      for (int i = 0; i < width / 2; i++) {
        values[row * width + 2 * i] = (float) angles.sin(i);
        values[row * width + 2 * i + 1] = (float) angles.cos(i);
      }
      angles.advance();
    }
    return values;
  }
}
