package org.lengthwise.training.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.task.Task;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.loop.TrainingRun;
import org.lengthwise.training.safetensors.SafetensorsFile;

/** Checkpoints of format version 2 that release 0.1.0 wrote. */
class VersionTwoIT {
  private static final Path FIXTURES = Path.of("src/test/resources/version2");

  @TempDir private Path folder;

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  @Test
  void runResumesAndEndsWithTheWeightsOfTheOldRelease() throws IOException {
    Path run = folder.resolve("run");
    copy(FIXTURES.resolve("run"), run);
    TrainingConfig config = RunFolder.resolve(run).run().config();
    Path last;
    try (ShardSource shards = new ShardSource(FIXTURES.resolve("shards").toString())) {
      Task task = Task.of(config, shards);
      last = TrainingRun.advance(config, task, run, true, () -> false).checkpoint();
    }
    assertThat(last.getFileName()).hasToString("step-00000010");
    assertThat(last.resolve("config.json"))
        .content()
        .contains("\"format_version\" : 3")
        .doesNotContain("thickness");
    try (SafetensorsFile expected = SafetensorsFile.open(FIXTURES.resolve("whole.safetensors"));
        SafetensorsFile found = Checkpoint.open(last).tensors()) {
      assertThat(found.tensors().keySet()).isEqualTo(expected.tensors().keySet());
      for (String name : expected.tensors().keySet()) {
        assertThat(found.floats(name)).containsExactly(expected.floats(name), within(1e-6f));
      }
    }
  }

  @Test
  void importedModelIsRead() throws IOException {
    Checkpoint imported = Checkpoint.open(FIXTURES.resolve("imported"));
    assertThat(imported.origin()).isInstanceOf(ImportedModel.class);
    assertThat(imported.origin().model().layers()).isEqualTo(2);
    assertThat(imported.origin().model().position()).isInstanceOf(RegularGpt.class);
  }
}
