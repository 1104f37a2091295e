package org.lengthwise.artifact;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.error.DiskFullException;

class AtomicFileTest {

  @Test
  void aFileIsWrittenAndReplacedAtomically(@TempDir Path scratch) throws IOException {
    Path file = scratch.resolve("sub/state.json");
    AtomicFile.write(file, out -> out.write("old".getBytes(UTF_8)));
    AtomicFile.write(file, out -> out.write("new".getBytes(UTF_8)));
    assertThat(file).hasContent("new");
    assertThat(scratch.resolve("sub").toFile().list()).containsExactly("state.json");
  }

  @Test
  void aFailedWriterKeepsTheOldContent(@TempDir Path scratch) throws IOException {
    Path file = scratch.resolve("state.json");
    AtomicFile.write(file, out -> out.write("old".getBytes(UTF_8)));
    assertThatThrownBy(
            () ->
                AtomicFile.write(
                    file,
                    out -> {
                      out.write("ne".getBytes(UTF_8));
                      throw new IOException("the disk is full");
                    }))
        .hasMessage("the disk is full");
    assertThat(file).hasContent("old");
    assertThat(scratch.toFile().list()).containsExactly("state.json");
  }

  @Test
  void aFullDiskIsNamedByTheFile(@TempDir Path scratch) {
    Path file = scratch.resolve("state.json");
    assertThatThrownBy(
            () ->
                AtomicFile.write(
                    file,
                    out -> {
                      throw new IOException("No space left on device");
                    }))
        .isInstanceOf(DiskFullException.class)
        .hasMessageStartingWith(file + ": ");
    assertThat(scratch).isEmptyDirectory();
  }

  @Test
  void aWriterMayCloseItsStream(@TempDir Path scratch) throws IOException {
    Path file = scratch.resolve("state.json");
    AtomicFile.write(
        file,
        out -> {
          out.write("all".getBytes(UTF_8));
          out.close();
        });
    assertThat(file).hasContent("all");
  }
}
