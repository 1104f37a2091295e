package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Optional;
import org.lengthwise.positional.Learned;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Sinusoidal;
import org.lengthwise.positional.kernel.EngineMemory;

/**
 * What an absolute scheme makes of token embeddings: scale times the token's, plus the position's.
 *
 * @param scale the factor of token embeddings
 * @param positions_Nd the positions' embeddings, float32; N is T or more
 */
public record PositionEmbedding(double scale, NDArray positions_Nd) {
  /** How many numbers are made in the Java heap before they become a tensor: 16 MB. */
  private static final int PART_NUMBERS = 1 << 22;

  /**
   * The embedding of a scheme.
   *
   * @param scheme the positional scheme
   * @param tensors its learnable tensors
   * @param length T
   * @param width d
   * @param manager the owner of what is made
   * @return the embedding, or empty if the scheme leaves token embeddings as they are
   */
  public static Optional<PositionEmbedding> of(
      PositionalScheme scheme,
      PositionalTensors tensors,
      int length,
      int width,
      NDManager manager) {
    if (scheme instanceof Sinusoidal) {
      return Optional.of(
          new PositionEmbedding(Math.sqrt(width), sinusoids(length, width, manager)));
    }
    if (scheme instanceof Learned) {
      return Optional.of(new PositionEmbedding(1, tensors.get("wpe.weight", 0)));
    }
    return Optional.empty();
  }

  private static NDArray sinusoids(int length, int width, NDManager manager) {
    Turns turns = new Turns(Sinusoidal.frequencies(width), 1);
    NDList parts = new NDList();
    int most = Math.max(1, PART_NUMBERS / width);
    for (int first = 0; first < length; first += most) {
      int rows = Math.min(most, length - first);
      float[] values = sinusoids(turns, rows, width);
      parts.add(EngineMemory.tensor(manager, values, new Shape(rows, width)));
    }
    return parts.size() == 1 ? parts.get(0) : NDArrays.concat(parts);
  }

  /** The embeddings of the next positions. */
  private static float[] sinusoids(Turns turns, int rows, int width) {
    float[] values = new float[rows * width];
    for (int row = 0; row < rows; row++) {
      for (int i = 0; i < width / 2; i++) {
        values[row * width + 2 * i] = (float) turns.sin(i);
        values[row * width + 2 * i + 1] = (float) turns.cos(i);
      }
      turns.advance();
    }
    return values;
  }
}
