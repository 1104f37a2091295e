package org.lengthwise.training.replica;

import ai.djl.ndarray.NDArray;
import java.util.List;

/**
 * How replicas come by the mean of their gradients. {@link TreeExchange} copies between devices;
 * another implementation may call a communication library.
 */
public interface GradientExchange extends AutoCloseable {

  /**
   * Replaces every replica's gradients by their mean over the replicas.
   *
   * <p>Contract: all replicas end with the same bits; the call returns when they are there.
   *
   * @param gradients each replica's gradients, in the same order and of the same shapes
   */
  void average(List<List<NDArray>> gradients);

  /** Releases what the exchange holds, never the gradients. */
  @Override
  void close();
}
