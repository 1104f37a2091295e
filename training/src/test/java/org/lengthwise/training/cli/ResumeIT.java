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
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.artifact.LockFile;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.training.loop.Trainer;
import picocli.CommandLine;

/** The changes that a resumed run accepts, and those that it rejects before the first step. */
class ResumeIT {
  private static TrainingFolder folder;

  @BeforeAll
  static void prepare(@TempDir Path path) throws IOException {
    folder = TrainingFolder.ofFortySteps(path);
  }

  @Test
  void checkpointOfAnotherRunIsRejectedBeforeTheFirstStep() throws IOException {
    folder.advance("run");
    String metrics = Files.readString(folder.run("run").metrics());
    folder.prepare("other", "other-shards", "bytes");
    folder.prepare("text", "gpt2-shards", "gpt2");
    assertThatThrownBy(() -> folder.advanceOn("other-shards", "run"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("sha256 was ");
    assertThatThrownBy(() -> folder.advanceOn("gpt2-shards", "run"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("tokenizer.name was \"bytes\", is now \"gpt2\"");
    assertThatThrownBy(() -> folder.advance("run", "model.width=32"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("model.width was 16, is now 32");
    assertThat(folder.run("run").metrics()).hasContent(metrics);
  }

  @Test
  void damagedCheckpointIsRejected() throws IOException {
    Path file = folder.advance("flipped").checkpoint().resolve("optimizer.safetensors");
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
    assertThatThrownBy(() -> folder.advance("flipped"))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("optimizer.safetensors");
  }

  @Test
  void withoutItsDamagedCheckpointARunResumesFromTheOlderOne() throws IOException {
    String[] settings = {"training.checkpoint.keep=2"};
    Path newest = folder.advance("damaged", settings).checkpoint();
    Path older = folder.run("damaged").checkpoint(20);
    Files.writeString(newest.resolve("model.safetensors"), "not a tensor");
    assertThatThrownBy(() -> folder.advance("damaged", settings))
        .isInstanceOf(DataFormatException.class)
        .hasMessageEndingWith("to resume from %s, remove %s".formatted(older, newest));
    ArtifactFolder.delete(newest);
    assertThat(folder.advance("damaged", settings).isFinished()).isTrue();
  }

  @Test
  void rejectedRunLeavesTheFolderFree() {
    for (String wrong : new String[] {"training.device=gpu:77", "training.device=cpu:3"}) {
      assertThatThrownBy(() -> folder.advance("rejected", wrong))
          .as(wrong)
          .isInstanceOf(ConfigException.class);
    }
    assertThatThrownBy(() -> folder.advance("rejected", "training.length=100000"))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("at least 100001 tokens");
    assertThat(folder.run("rejected").path().toFile().list()).containsExactly(".lock");
    CommandLine train = new CommandLine(new TrainCommand());
    assertThat(train.execute(folder.arguments("rejected"))).isZero();
  }

  @Test
  void secondRunInAFolderIsRejected() throws IOException {
    try (LockFile lock = folder.run("taken").lock()) {
      assertThatThrownBy(() -> folder.advance("taken"))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("another process trains here");
      assertThat(lock).isNotNull();
      assertThat(folder.run("taken").metrics()).doesNotExist();
    }
  }

  @Test
  void settingsThatChangeNoNumberMayDifferInAResumedRun() throws IOException {
    folder.advance("changed", folder.config(), () -> true);
    assertThatThrownBy(() -> folder.advance("changed", "training.guard.jump=9.0"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("training.guard.jump was ");
    Trainer.Result outcome =
        folder.advance(
            "changed",
            "training.checkpoint.keep=3",
            "training.checkpoint.interval=13",
            "training.metrics_interval=2",
            "training.micro_batch=2",
            "training.tensorboard=false",
            "training.peak_flops=1e12",
            "training.guard.action=roll-back");
    assertThat(outcome.isFinished()).isTrue();
    assertThat(folder.run("changed").checkpoints()).contains(folder.run("changed").checkpoint(26));
    assertThat(folder.run("changed").metrics())
        .content()
        .as("with a peak from the second attempt on")
        .contains("\"mfu\":null")
        .containsPattern("\"mfu\":[0-9]");
  }

  @Test
  void folderThatBecomesUnwritableEndsTheRunWithAReason() {
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
        .hasMessageContaining("expected a folder that stays writable until")
        .hasMessageContaining("resume with --resume");
  }
}
