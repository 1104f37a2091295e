package org.lengthwise.eval.bench;

import ai.djl.Device;
import ai.djl.pytorch.jni.JniUtils;
import ai.djl.util.cuda.CudaUtils;
import java.util.OptionalLong;

/**
 * The memory of a GPU. There is no answer for a CPU, nor where the CUDA runtime is not found.
 *
 * @param device the device
 */
record DeviceMemory(Device device) {

  /** Gives the device back what the engine keeps of tensors that are closed. */
  void returnUnused() {
    if (device.isGpu()) {
      JniUtils.emptyCudaCache();
    }
  }

  /** What is taken now, by this process or another, in bytes. */
  OptionalLong used() {
    return device.isGpu() && CudaUtils.hasCuda()
        ? OptionalLong.of(CudaUtils.getGpuMemory(device).getUsed())
        : OptionalLong.empty();
  }
}
