package org.lengthwise.training.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.training.checkpoint.GuardState;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.checkpoint.TrainState;
import org.lengthwise.training.tensorboard.EventReader;

class MetricsFileTest {
  private final RunFolder run;

  MetricsFileTest(@TempDir Path folder) {
    run = new RunFolder(folder);
  }

  private static TrainState state(long step) {
    return new TrainState(step, 0, 0, 5, GuardState.initial(), null, Map.of());
  }

  private static Metrics validation(long step) {
    return new Metrics.Validation(step, 10 * step, "nll", 2.5, 8);
  }

  private void write(TrainState from, Metrics... lines) throws IOException {
    try (MetricsFile metrics = MetricsFile.resume(run, from, true)) {
      for (Metrics line : lines) {
        metrics.write(line);
      }
      metrics.force();
    }
  }

  private List<String> lines() throws IOException {
    return Files.readAllLines(run.metrics());
  }

  @Test
  void truncatedLastLineIsRemoved() throws IOException {
    write(state(0), validation(1), validation(2), validation(3));
    List<String> whole = lines();
    String text = Files.readString(run.metrics());
    Files.writeString(run.metrics(), text.substring(0, text.length() - 5));
    write(state(3));
    assertThat(lines()).isEqualTo(whole.subList(0, 2));
  }

  @Test
  void damagedLineBeforeTheLastIsReported() throws IOException {
    write(state(0), validation(1), validation(2), validation(3));
    List<String> whole = lines();
    Files.write(run.metrics(), List.of(whole.get(0), "{\"kind\": \"valid", whole.get(2)));
    assertThatThrownBy(() -> write(state(3)))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining(run.metrics() + ":2: expected a line of metrics");
  }

  @Test
  void aLineLacksNoKey() throws IOException {
    write(state(0), new Metrics.Training(1, 16, 2.5, 0.1, 1.5, 9, null, 2, 0, 0, 0, null));
    String line = lines().get(0);
    assertThat(MetricsFile.parse(line).step()).isEqualTo(1);
    for (String key : List.of("\"step_seconds\":2.0,", "\"checkpoint_wait_seconds\":0.0,")) {
      assertThat(line).contains(key);
      assertThatThrownBy(() -> MetricsFile.parse(line.replace(key, "")))
          .hasMessageContaining("Missing");
    }
  }

  @Test
  void rollBackThatNoCheckpointIncludesIsRemovedFromLinesAndEvents() throws IOException {
    Metrics rollBack = new Metrics.RollBack(2, 5, "the loss is NaN", 0.5);
    write(state(0), validation(1), validation(2), rollBack);
    write(state(2).rolledBack(0.5));
    assertThat(lines()).hasSize(3);
    assertThat(EventReader.scalars(run.events())).anyMatch(scalar -> scalar.contains("roll-back/"));
    write(state(2));
    assertThat(lines()).hasSize(2);
    assertThat(EventReader.scalars(run.events()))
        .isNotEmpty()
        .noneMatch(scalar -> scalar.contains("roll-back/"));
  }
}
