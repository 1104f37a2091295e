package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Optional;
import org.lengthwise.positional.Learned;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Sinusoidal;

/**
 * What an absolute scheme makes of token embeddings: scale times the token's, plus the position's.
 *
 * @param scale the factor of token embeddings
 * @param positions_Nd the positions' embeddings, float32; N is T or more
 */
public record PositionEmbedding(double scale, NDArray positions_Nd) {

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
      PositionalScheme scheme, BiasTensors tensors, int length, int width, NDManager manager) {
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
    Turns turns = Turns.of(Sinusoidal.frequencies(width), length, 1);
    float[] values = new float[length * width];
    for (int i = 0; i < turns.cos().length; i++) {
      values[2 * i] = (float) turns.sin()[i];
      values[2 * i + 1] = (float) turns.cos()[i];
    }
    return manager.create(values, new Shape(length, width));
  }
}
