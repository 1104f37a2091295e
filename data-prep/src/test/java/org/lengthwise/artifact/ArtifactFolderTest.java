package org.lengthwise.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.error.ConfigException;

class ArtifactFolderTest {

  @Test
  void aCompleteFolderHoldsItsFilesAndTheMarker(@TempDir Path scratch) throws IOException {
    Path folder = scratch.resolve("deep/er/shards");
    ArtifactFolder.create(folder, temporary -> write(temporary.resolve("a")));
    assertThat(ArtifactFolder.isDone(folder)).isTrue();
    assertThat(folder.resolve("a")).hasContent("content");
    assertThat(scratch.resolve("deep/er").toFile().list()).containsExactly("shards");
  }

  @Test
  void aFailedWriterLeavesNoFiles(@TempDir Path scratch) throws IOException {
    Path folder = scratch.resolve("shards");
    assertThatThrownBy(
            () ->
                ArtifactFolder.create(
                    folder,
                    temporary -> {
                      write(temporary.resolve("a"));
                      throw new IOException("the disk is full");
                    }))
        .hasMessage("the disk is full");
    assertThat(scratch).isEmptyDirectory();
  }

  @Test
  void aFolderHasOneWriterAtATime(@TempDir Path scratch) throws IOException {
    Path folder = scratch.resolve("shards");
    ArtifactFolder.create(
        folder,
        temporary -> {
          write(temporary.resolve("a"));
          assertThatThrownBy(() -> ArtifactFolder.create(folder, other -> {}))
              .isInstanceOf(ConfigException.class)
              .hasMessageContaining("another process is writing");
        });
    assertThat(folder.resolve("a")).hasContent("content");
    assertThat(scratch.toFile().list()).containsExactly("shards");
  }

  @Test
  void theNextAttemptStartsFromAnEmptyFolder(@TempDir Path scratch) throws IOException {
    Path folder = scratch.resolve("shards");
    Files.createDirectories(scratch.resolve(".shards.partial/sub"));
    write(scratch.resolve(".shards.partial/sub/left-over"));
    ArtifactFolder.create(folder, temporary -> write(temporary.resolve("a")));
    assertThat(folder).isDirectoryNotContaining("glob:**/sub");
    assertThat(ArtifactFolder.isDone(folder)).isTrue();
  }

  @Test
  void aCompleteFolderIsNotOverwritten(@TempDir Path scratch) throws IOException {
    Path folder = scratch.resolve("shards");
    ArtifactFolder.create(folder, temporary -> write(temporary.resolve("a")));
    assertThatThrownBy(() -> ArtifactFolder.create(folder, temporary -> {}))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected a folder that does not exist, found a finished artifact");
    assertThat(folder.resolve("a")).exists();
  }

  @Test
  void anEmptyFolderIsFilledAndForeignFilesAreKept(@TempDir Path scratch) throws IOException {
    Path empty = Files.createDirectory(scratch.resolve("empty"));
    ArtifactFolder.create(empty, temporary -> write(temporary.resolve("a")));
    assertThat(empty.resolve("a")).exists();

    Path foreign = Files.createDirectory(scratch.resolve("foreign"));
    write(foreign.resolve("thesis.txt"));
    assertThatThrownBy(() -> ArtifactFolder.create(foreign, temporary -> {}))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected a folder that is absent or empty, found other files");
    assertThat(foreign.resolve("thesis.txt")).exists();
  }

  private static void write(Path file) throws IOException {
    Files.writeString(file, "content");
  }
}
