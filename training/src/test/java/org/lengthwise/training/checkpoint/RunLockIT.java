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
import org.lengthwise.artifact.LockFile;
import org.lengthwise.error.ConfigException;

/** Two processes that train in the same folder. */
@Timeout(60)
class RunLockIT {
  @TempDir private Path folder;

  /** The other process: holds the lock until it is killed. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws IOException {
      RunFolder run = new RunFolder(Path.of(arguments[0]));
      try (LockFile lock = run.lock()) {
        assertThat(lock).isNotNull();
        System.out.println(run.path());
        System.in.readAllBytes();
      }
    }
  }

  @Test
  void secondIsRejectedUntilTheFirstEnds() throws IOException, InterruptedException {
    Process holder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out =
        new BufferedReader(new InputStreamReader(holder.getInputStream(), UTF_8))) {
      assertThat(out.readLine()).isEqualTo(folder.toString());
      assertRejected();
    } finally {
      holder.destroyForcibly().waitFor();
    }
    try (LockFile lock = new RunFolder(folder).lock()) {
      assertThat(lock).isNotNull();
      assertRejected(); // for this process too
    }
  }

  private void assertRejected() {
    assertThatThrownBy(() -> new RunFolder(folder).lock())
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("another process trains here");
  }
}
