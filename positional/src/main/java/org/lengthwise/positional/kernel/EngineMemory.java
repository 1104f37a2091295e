package org.lengthwise.positional.kernel;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.nio.FloatBuffer;

/**
 * Tensors of given numbers that a backward pass may read after they were closed.
 *
 * <p>Implementation note: on a CPU, DJL's {@code create}, and its arithmetic with Java numbers,
 * make tensors over a Java buffer, which the garbage collector may take as soon as the array is
 * closed. The engine counts only references to memory of its own, so an operation that keeps such a
 * tensor for its gradient would read memory that is somebody else's by then.
 */
public final class EngineMemory {
  private EngineMemory() {}

  /**
   * A tensor.
   *
   * @param manager its owner
   * @param values its numbers, row-major
   * @param shape its axes
   * @return the tensor, float32
   */
  public static NDArray tensor(NDManager manager, float[] values, Shape shape) {
    return tensor(manager, FloatBuffer.wrap(values), shape);
  }

  /**
   * A tensor.
   *
   * @param manager its owner
   * @param values its numbers, row-major
   * @param shape its axes
   * @return the tensor, float32
   */
  public static NDArray tensor(NDManager manager, FloatBuffer values, Shape shape) {
    try (NDArray overJavaBuffer = manager.create(values, shape, DataType.FLOAT32)) {
      return overJavaBuffer.duplicate();
    }
  }

  /**
   * A number as an operand.
   *
   * @param manager its owner
   * @param value the number
   * @return a scalar, float32
   */
  public static NDArray scalar(NDManager manager, float value) {
    return tensor(manager, new float[] {value}, new Shape());
  }
}
