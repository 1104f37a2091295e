package org.lengthwise.kernel;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.nio.FloatBuffer;

/**
 * Tensors of given numbers that a backward pass may read after they were closed.
 *
 * <p>Implementation note: on a CPU, DJL's {@code create} and its arithmetic with Java numbers
 * create tensors whose memory is a Java buffer. The garbage collector may free this buffer as soon
 * as the array is closed. The engine counts references to its own memory only. So an operation that
 * keeps such a tensor for its gradient could read memory that was freed and used again.
 */
public final class EngineMemory {
  private EngineMemory() {}

  /** {@return a tensor with given numbers, float32} */
  public static NDArray tensor(NDManager manager, float[] values, Shape shape) {
    return tensor(manager, FloatBuffer.wrap(values), shape);
  }

  /** {@return a tensor with given numbers, float32} */
  public static NDArray tensor(NDManager manager, FloatBuffer values, Shape shape) {
    try (NDArray overJavaBuffer = manager.create(values, shape, DataType.FLOAT32)) {
      return overJavaBuffer.duplicate();
    }
  }

  /**
   * {@return a scalar, float32, on the CPU, as an operand of tensors on any device} A GPU's kernel
   * takes such an operand as an argument, so nothing is copied to the device and nothing waits.
   */
  public static NDArray scalar(NDManager manager, float value) {
    NDManager onCpu = manager.getDevice().isGpu() ? manager.newSubManager(Device.cpu()) : manager;
    return tensor(onCpu, new float[] {value}, new Shape());
  }
}
