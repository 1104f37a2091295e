package org.lengthwise.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskFullExceptionTest {
  private final IOException full = new IOException("No space left on device");

  @TempDir private Path folder;

  private Optional<String> found(Throwable failure) {
    return DiskFullException.in(failure, folder.resolve("new/out")).map(Throwable::getMessage);
  }

  @Test
  void fullDisksAreNamedWithPathAndFreeSpaceAndWhatToDo() {
    assertThat(found(full).orElseThrow())
        .startsWith(folder.resolve("new/out") + ": expected a disk with room to write, found")
        .containsPattern(
            "\"No space left on device\", and [0-9.]+ [kMGT]?B free now; free some space")
        .contains("run the same command again");
  }

  @Test
  void theyAreFoundInTheFailuresOfLibraries() {
    assertThat(found(new IllegalStateException(new UncheckedIOException(full)))).isPresent();
    assertThat(found(new FileNotFoundException("x.log (No space left on device)"))).isPresent();
    assertThat(found(new IOException("Disk quota exceeded"))).isPresent();
    assertThat(found(new IOException("Input/output error"))).isEmpty();
    assertThat(found(new IllegalStateException("No space left on device"))).isEmpty();
  }

  @Test
  void aPathThatTheFailureNamesIsTakenAndNeverReplaced() {
    Path named = folder.resolve("named");
    IOException failure = new FileSystemException(named.toString(), null, "Read-only file system");
    IOException first = DiskFullException.in(failure, folder).orElseThrow();
    assertThat(first).hasMessageStartingWith(named + ": ");
    assertThat(DiskFullException.in(new IOException(first), folder)).containsSame(first);
  }
}
