package org.lengthwise.training.replica;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.IValue;
import java.util.List;
import org.lengthwise.kernel.KernelModule;

/** The kernels that average gradients, on one device. */
final class ReplicaKernels implements AutoCloseable {
  private final KernelModule module;
  private final NDManager manager;

  ReplicaKernels(Device device) {
    this.module = KernelModule.load(ReplicaKernels.class, "replica.py", device);
    this.manager = NDManager.newBaseManager(device, "PyTorch");
  }

  /** All numbers of some tensors in one flat tensor, to be closed by the caller. */
  NDArray flatten(List<NDArray> tensors) {
    try (IValue flat = module.call("flatten", list(tensors))) {
      return flat.toTensor((PtNDManager) manager);
    }
  }

  /** A copy of numbers on this device, or the same array if it is already on this device. */
  NDArray here(NDArray numbers) {
    return numbers.toDevice(module.device(), false);
  }

  /** Adds another replica's numbers, which may be on another device. */
  void add(NDArray sum, NDArray other) {
    NDArray here = here(other);
    try {
      module.call("add", value(sum), value(here)).close();
    } finally {
      if (here != other) {
        here.close();
      }
    }
  }

  void divide(NDArray sum, int count) {
    module.call("divide", value(sum), IValue.from((double) count)).close();
  }

  void unflatten(NDArray flat, List<NDArray> tensors) {
    try (IValue last = module.call("unflatten", value(flat), list(tensors));
        NDArray number = last.toTensor((PtNDManager) manager)) {
      number.getFloat();
    }
  }

  private static IValue value(NDArray tensor) {
    return IValue.from((PtNDArray) tensor);
  }

  private static IValue list(List<NDArray> tensors) {
    return IValue.listFrom(tensors.toArray(PtNDArray[]::new));
  }

  @Override
  public void close() {
    module.close();
    manager.close();
  }
}
