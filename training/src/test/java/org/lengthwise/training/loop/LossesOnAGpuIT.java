package org.lengthwise.training.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Schemes;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.Loops;
import org.lengthwise.training.TestDevice;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.checkpoint.RunFolder;

/** The losses of the first steps of a run on a GPU and on a CPU. */
class LossesOnAGpuIT {
  private static final int STEPS = 100;
  private static final ObjectMapper MAPPER = ConfigLoader.strictMapper();

  @TempDir private Path folder;

  static List<PositionalScheme> schemes() {
    return Schemes.trainable();
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void equalThoseOfTheCpu(PositionalScheme scheme) throws IOException {
    TestDevice.assumeGpu();
    List<Double> expected = losses(scheme, "cpu");
    List<Double> found = losses(scheme, TestDevice.name());
    assertThat(expected).hasSize(STEPS);
    assertThat(found).hasSize(STEPS);
    for (int i = 0; i < STEPS; i++) {
      assertThat(found.get(i)).as("step %d", i + 1).isCloseTo(expected.get(i), within(1e-3));
    }
  }

  private List<Double> losses(PositionalScheme scheme, String device) throws IOException {
    RunDescription run =
        SmallRun.describe(
            scheme, Loops.on(Loops.of(16, 4, STEPS), device, 2, Precision.FLOAT32), 1e-3);
    RunFolder target =
        new RunFolder(Files.createDirectories(folder.resolve(device.replace(':', '-'))));
    try (Trainer trainer = new Trainer(run, SmallRun.task(run), target, null)) {
      trainer.train(() -> false);
    }
    List<Double> losses = new ArrayList<>();
    for (String line : Files.readAllLines(target.metrics())) {
      if (MAPPER.readValue(line, Metrics.class) instanceof Metrics.Training training) {
        losses.add(training.loss());
      }
    }
    return losses;
  }
}
