package org.lengthwise.training.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.artifact.ArtifactFolder;
import picocli.CommandLine;

/** A model is larger than Java's heap. */
@Timeout(120)
class SmallHeapIT {
  private static final int MEGABYTES = 64;
  private static final int BYTES_PER_MEGABYTE = 1 << 20;

  @Test
  void resumesFromMomentsThatAreLargerThanTheHeap(@TempDir Path path) throws Exception {
    TrainingFolder folder =
        TrainingFolder.create(
            path,
            """
            steps: 2
            metrics_interval: 1
            validation: {interval: 2, sequences: 1}
            checkpoint: {interval: 1, keep: 2}
            """);
    String[] arguments =
        folder.arguments("run", "--resume", "--set=model.layers=12", "--set=model.width=256");
    assertThat(new CommandLine(new TrainCommand()).execute(arguments)).isZero();
    ArtifactFolder.delete(folder.run("run").checkpoint(2));
    Path moments = folder.run("run").checkpoint(1).resolve("optimizer.safetensors");
    assertThat(Files.size(moments)).isGreaterThan((long) MEGABYTES * BYTES_PER_MEGABYTE);

    Path log = path.resolve("log");
    Process process =
        folder
            .process(MEGABYTES, arguments)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();

    assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as("%s", Files.readString(log)).isZero();
    assertThat(folder.newestStep("run")).isEqualTo(2);
  }
}
