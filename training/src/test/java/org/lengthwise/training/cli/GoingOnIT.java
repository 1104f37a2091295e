package org.lengthwise.training.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.artifact.ArtifactFolder;
import org.lengthwise.training.checkpoint.RunLock;
import org.lengthwise.training.loop.Trainer;
import picocli.CommandLine;

/** With what a run goes on, and what is refused before any step. */
class GoingOnIT {
  private static TrainingFolder folder;

  @BeforeAll
  static void writeDataAndAConfiguration(@TempDir Path path) throws IOException {
    folder = TrainingFolder.ofFortySteps(path);
  }

  @Test
  void checkpointOfAnotherRunIsRefusedBeforeAnyStep() throws IOException {
    folder.advance("run");
    String metrics = Files.readString(folder.run("run").metrics());
    folder.prepare("other", "other-shards", "bytes");
    folder.prepare("text", "gpt2-shards", "gpt2");
    assertThatThrownBy(() -> folder.advanceOn("other-shards", "run"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("sha256 is ");
    assertThatThrownBy(() -> folder.advanceOn("gpt2-shards", "run"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("tokenizer.name is \"bytes\" there and \"gpt2\" now");
    assertThatThrownBy(() -> folder.advance("run", "model.width=32"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("model.width is 16 there and 32 now");
    assertThat(folder.run("run").metrics()).hasContent(metrics);
  }

  @Test
  void damagedCheckpointIsRefused() throws IOException {
    Path file = folder.advance("flipped").checkpoint().resolve("optimizer.safetensors");
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
    assertThatThrownBy(() -> folder.advance("flipped"))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("optimizer.safetensors");
  }

  @Test
  void whoRemovesADamagedCheckpointGoesOnFromTheOneBefore() throws IOException {
    String[] settings = {"training.checkpoint.keep=2"};
    Path newest = folder.advance("damaged", settings).checkpoint();
    Path older = folder.run("damaged").checkpoint(20);
    Files.writeString(newest.resolve("model.safetensors"), "not a tensor");
    assertThatThrownBy(() -> folder.advance("damaged", settings))
        .isInstanceOf(DataFormatException.class)
        .hasMessageEndingWith("to go on from %s, remove %s".formatted(older, newest));
    ArtifactFolder.delete(newest);
    assertThat(folder.advance("damaged", settings).isFinished()).isTrue();
  }

  @Test
  void refusedRunLeavesTheFolderFree() {
    for (String wrong : new String[] {"training.device=gpu:77", "training.device=cpu:3"}) {
      assertThatThrownBy(() -> folder.advance("refused", wrong))
          .as(wrong)
          .isInstanceOf(ConfigException.class);
    }
    assertThatThrownBy(() -> folder.advance("refused", "training.length=100000"))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("at least 100001 tokens");
    assertThat(folder.run("refused").path().toFile().list()).containsExactly(".lock");
    CommandLine train = new CommandLine(new TrainCommand());
    assertThat(train.execute(folder.arguments("refused"))).isZero();
  }

  @Test
  void secondRunInAFolderIsRefused() throws IOException {
    try (RunLock lock = RunLock.of(folder.run("taken").path())) {
      assertThatThrownBy(() -> folder.advance("taken"))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("another process trains here");
      assertThat(lock.folder().metrics()).doesNotExist();
    }
  }

  @Test
  void whatChangesNoNumberMayDifferWhenARunGoesOn() throws IOException {
    folder.advance("changed", folder.config(), () -> true);
    assertThatThrownBy(() -> folder.advance("changed", "training.guard.jump=9.0"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("training.guard.jump is ");
    Trainer.Outcome outcome =
        folder.advance(
            "changed",
            "training.checkpoint.keep=3",
            "training.checkpoint.interval=13",
            "training.metrics_interval=2",
            "training.micro_batch=2",
            "training.tensorboard=false",
            "training.guard.action=roll-back");
    assertThat(outcome.isFinished()).isTrue();
    assertThat(folder.run("changed").checkpoints()).contains(folder.run("changed").checkpoint(26));
  }

  @Test
  void folderThatCannotBeWrittenAnyLongerEndsTheRunWithAReason() {
    Path checkpoints = folder.run("lost").path().resolve("checkpoints");
    BooleanSupplier loss =
        () -> {
          try {
            if (Files.isDirectory(checkpoints)) {
              Files.delete(checkpoints);
              Files.createFile(checkpoints);
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          return true;
        };
    assertThatThrownBy(() -> folder.advance("lost", folder.config(), loss))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected a folder that files can be written into until")
        .hasMessageContaining("go on with --resume");
  }
}
