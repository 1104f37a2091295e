package org.lengthwise.training;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ai.djl.Device;
import org.lengthwise.training.device.Devices;

/** The device of tests that use the engine, which {@code -Dlengthwise.test.device=gpu:0} names. */
public final class TestDevice {
  private static final String NAME = System.getProperty("lengthwise.test.device", "cpu");

  private TestDevice() {}

  /** The name in configurations. */
  public static String name() {
    return NAME;
  }

  /** The device. */
  public static Device current() {
    return Devices.of(NAME);
  }

  /** Whether it is a GPU. */
  public static boolean isGpu() {
    return !NAME.equals("cpu");
  }

  /** A float32 tolerance. A GPU gets ten times the CPU's, since it adds in another order. */
  public static float tolerance(double onCpu) {
    return (float) (isGpu() ? 10 * onCpu : onCpu);
  }

  /** Skips a test that needs a GPU. */
  public static void assumeGpu() {
    assumeTrue(isGpu(), "no GPU: name one by -Dlengthwise.test.device=gpu:0");
  }
}
