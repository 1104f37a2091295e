package org.lengthwise.training;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ai.djl.Device;
import org.lengthwise.training.device.Devices;

/** The device of tests that use the engine, which {@code -Dlengthwise.test.device=gpu:0} names. */
public final class TestDevice {
  private static final String NAME = System.getProperty("lengthwise.test.device", "cpu");

  private TestDevice() {}

  /** The name, as configurations have it. */
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

  /** A tolerance in float32, given for a CPU: a GPU adds in other orders and takes other roots. */
  public static float tolerance(double onCpu) {
    return (float) (isGpu() ? 10 * onCpu : onCpu);
  }

  /** Skips a test that only a GPU can answer. */
  public static void assumeGpu() {
    assumeTrue(isGpu(), "no GPU: name one by -Dlengthwise.test.device=gpu:0");
  }
}
