package org.lengthwise.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.positional.attention.Numerics;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.device.Devices;

/** Training steps free the native memory and the heap that they take. */
class TrainingMemoryIT {
  private static final int WARM_UP = 5;
  private static final int STEPS = 45;
  private static final long MOST = 64L << 20;

  @Test
  void residentMemoryStaysFlatOverSteps() throws IOException {
    TrainingBench sizes =
        ConfigLoader.load(
                Path.of("../conf/bench-quick.yaml"),
                List.of("training.length=64", "training.batch=4", "training.micro_batch=4"))
            .bind(BenchConfig.class)
            .training();
    try (TrainingStep step =
        TrainingStep.ofDecoder(sizes, Numerics.of(Precision.FLOAT32), Devices.of("cpu"))) {
      OptionalLong before = residentAfter(step, WARM_UP);
      assumeTrue(before.isPresent(), "the system does not tell the resident memory");
      long after = residentAfter(step, STEPS).orElseThrow();
      assertThat(after - before.getAsLong()).isLessThan(MOST);
    }
  }

  private static OptionalLong residentAfter(TrainingStep step, int steps) {
    for (int i = 0; i < steps; i++) {
      assertThat(step.next()).isPositive();
    }
    System.gc(); // garbage is not a leak
    return ProcessMemory.own().resident();
  }
}
