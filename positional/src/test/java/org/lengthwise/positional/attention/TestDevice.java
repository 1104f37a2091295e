package org.lengthwise.positional.attention;

import ai.djl.Device;

/**
 * The device of tests that use the engine. {@code -Dlengthwise.test.device=gpu:0} selects a GPU.
 */
final class TestDevice {
  private static final String NAME = System.getProperty("lengthwise.test.device", "cpu");

  private TestDevice() {}

  static boolean isGpu() {
    return !NAME.equals("cpu");
  }

  static Device current() {
    return isGpu() ? Device.gpu(Integer.parseInt(NAME.substring("gpu:".length()))) : Device.cpu();
  }

  /**
   * A tolerance in float32. A GPU adds in another order and computes other roots, so its tolerance
   * is larger.
   */
  static float tolerance(double onCpu) {
    return (float) (isGpu() ? 10 * onCpu : onCpu);
  }
}
