package org.lengthwise.training.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.dataprep.ConfigException;

/** Two processes that train in the same folder. */
@Timeout(60)
class RunLockIT {
  @TempDir private Path folder;

  /** The other process: holds the lock until it is killed. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws IOException {
      try (RunLock lock = RunLock.of(Path.of(arguments[0]))) {
        System.out.println(lock.folder().path());
        System.in.readAllBytes();
      }
    }
  }

  @Test
  void secondIsRefusedUntilTheFirstIsGone() throws IOException, InterruptedException {
    Process holder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out =
        new BufferedReader(new InputStreamReader(holder.getInputStream(), UTF_8))) {
      assertThat(out.readLine()).isEqualTo(folder.toString());
      assertRefused();
    } finally {
      holder.destroyForcibly().waitFor();
    }
    try (RunLock lock = RunLock.of(folder)) {
      assertThat(lock.folder()).isEqualTo(new RunFolder(folder));
      assertRefused(); // to this process too
    }
  }

  private void assertRefused() {
    assertThatThrownBy(() -> RunLock.of(folder))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("another process trains here");
  }
}
