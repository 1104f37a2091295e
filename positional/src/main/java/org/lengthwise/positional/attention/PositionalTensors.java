package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;

/** Where attention finds the learnable tensors of its scheme. */
@FunctionalInterface
public interface PositionalTensors {

  /**
   * One tensor.
   *
   * @param name the parameter's short name
   * @param block the distinct block k that asks; ignored for tensors that all blocks share
   * @return the tensor, with the shape its parameter states
   */
  NDArray get(String name, int block);
}
