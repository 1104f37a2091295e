package org.lengthwise.artifact;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.error.ConfigException;

/** Two processes that write the same artifact. */
@Timeout(60)
class TwoWritersIT {

  private final Path scratch;
  private final Path folder;

  TwoWritersIT(@TempDir Path scratch) {
    this.scratch = scratch;
    folder = scratch.resolve("shards");
  }

  /** The other process. It prints a line when it has started, and ends when its input ends. */
  static final class Writer {
    public static void main(String[] arguments) throws IOException {
      ArtifactFolder.create(
          Path.of(arguments[0]),
          temporary -> {
            Files.writeString(temporary.resolve("first"), "content");
            System.out.println("writing");
            System.in.readAllBytes();
          });
    }
  }

  @Test
  void theSecondWriterIsRejectedAndTheFirstFinishes() throws Exception {
    Process first = start();
    assertThatThrownBy(() -> ArtifactFolder.create(folder, temporary -> {}))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("another process is writing");
    first.getOutputStream().close();
    assertThat(first.waitFor()).isZero();
    assertThat(folder.resolve("first")).hasContent("content");
    assertThat(scratch.toFile().list()).containsExactly("shards");
  }

  @Test
  void anotherWriterCanStartAfterAKill() throws Exception {
    start().destroyForcibly().waitFor();
    assertThat(scratch.toFile().list())
        .containsExactlyInAnyOrder(".shards.lock", ".shards.partial");
    ArtifactFolder.create(
        folder, temporary -> Files.writeString(temporary.resolve("second"), "content"));
    assertThat(folder.toFile().list()).containsExactlyInAnyOrder("second", "DONE");
    assertThat(scratch.toFile().list()).containsExactly("shards");
  }

  /** Starts the other process, and waits until it writes. */
  private Process start() throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Writer.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    assertThat(out.readLine()).isEqualTo("writing");
    return process;
  }
}
