package org.lengthwise.training.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.error.ConfigException;

class RunFolderTest {
  @TempDir private Path folder;

  @Test
  void preparedFolderHasNoFiles() throws IOException {
    new RunFolder(folder.resolve("run")).prepare(1000, 2);
    try (var content = Files.list(folder.resolve("run"))) {
      assertThat(content).containsExactly(folder.resolve("run/checkpoints"));
    }
  }

  @Test
  void incompleteFilesOfAKilledRunAreRemoved() throws IOException {
    Path checkpoints = Files.createDirectories(folder.resolve("checkpoints"));
    Files.createDirectories(checkpoints.resolve(".step-00000007.partial"));
    Files.createFile(checkpoints.resolve(".step-00000007.partial/model.safetensors"));
    Files.createFile(checkpoints.resolve(".step-00000007.lock"));
    Files.createFile(folder.resolve(".write-123.tmp"));
    Files.createFile(folder.resolve(".metrics.jsonl.partial"));
    Files.createDirectories(checkpoints.resolve("step-00000005"));
    Files.createFile(checkpoints.resolve("step-00000005/DONE"));
    assertThat(new RunFolder(folder).foreign()).isEmpty();
    new RunFolder(folder).prepare(1000, 2);
    assertThat(folder.toFile().list()).containsExactly("checkpoints");
    assertThat(checkpoints.toFile().list()).containsExactly("step-00000005");
  }

  @Test
  void checkpointsAreOrderedByTheirStep() throws IOException {
    RunFolder run = new RunFolder(folder);
    Path checkpoints = Files.createDirectories(folder.resolve("checkpoints"));
    for (String digits : new String[] {"00000010", "00000005", "123456789", "٠٠٠٠٠٠٢٠"}) {
      Path checkpoint = Files.createDirectory(checkpoints.resolve("step-" + digits));
      Files.createFile(checkpoint.resolve("DONE"));
    }
    assertThat(run.checkpoints())
        .extracting(path -> path.getFileName().toString())
        .containsExactly("step-00000005", "step-00000010", "step-123456789");
  }

  @Test
  void filesOfOtherProgramsAreForeign() throws IOException {
    Files.createDirectories(folder.resolve("checkpoints"));
    Path notes = Files.createFile(folder.resolve("notes.txt"));
    assertThat(new RunFolder(folder).foreign()).contains(notes);
    assertThat(new RunFolder(folder.resolve("nothing")).foreign()).isEmpty();
  }

  @Test
  void folderThatCannotBeWrittenIsRejectedAtTheStart() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    assertThatThrownBy(() -> new RunFolder(file.resolve("run")).prepare(1000, 2))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected a folder with write permission");
  }

  @Test
  void diskWithoutRoomForTheCheckpointsIsRejectedAtTheStart() {
    assertThatThrownBy(() -> new RunFolder(folder).prepare(1L << 50, 4))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("room for 4 checkpoints of 1,125,899,906,842,624 bytes")
        .hasMessageContaining("free bytes");
  }
}
