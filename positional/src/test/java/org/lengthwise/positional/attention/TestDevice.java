package org.lengthwise.positional.attention;

import ai.djl.Device;

/** The device of tests that use the engine, which {@code -Dlengthwise.test.device=gpu:0} names. */
final class TestDevice {
  private static final String NAME = System.getProperty("lengthwise.test.device", "cpu");

  private TestDevice() {}

  static boolean isGpu() {
    return !NAME.equals("cpu");
  }

  static Device current() {
    return isGpu() ? Device.gpu(Integer.parseInt(NAME.substring("gpu:".length()))) : Device.cpu();
  }

  /** A tolerance in float32, given for a CPU: a GPU adds in other orders and takes other roots. */
  static float tolerance(double onCpu) {
    return (float) (isGpu() ? 10 * onCpu : onCpu);
  }
}
