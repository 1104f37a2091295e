package org.lengthwise.training.data;

import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;

/**
 * Sequences in the Java heap, row after row, on their way to a device.
 *
 * @param count B
 * @param length T
 * @param tokens inputs, B x T
 * @param targets the token after each input, B x T
 */
public record Sequences(int count, int length, long[] tokens, long[] targets) {

  /**
   * Copies the sequences to a device.
   *
   * @param manager the owner of the batch
   * @return the batch
   */
  public Batch on(NDManager manager) {
    Shape shape = new Shape(count, length);
    return new Batch(manager.create(tokens, shape), manager.create(targets, shape));
  }
}
