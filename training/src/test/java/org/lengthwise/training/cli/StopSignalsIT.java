package org.lengthwise.training.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class StopSignalsIT {
  private static final int ENDED_BY_SIGTERM = 128 + 15;

  @Test
  @Timeout(value = 120, unit = TimeUnit.SECONDS)
  void firstSignalSetsAFlagAndALaterOneEndsTheProcess() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Deaf.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader lines = process.inputReader()) {
      assertThat(lines.readLine()).isEqualTo("listening");
      process.toHandle().destroy();
      assertThat(lines.readLine()).isEqualTo("asked to stop");
      // Signals within a second are one request.
      assertThat(process.waitFor(1500, TimeUnit.MILLISECONDS)).isFalse();
      process.toHandle().destroy();
      assertThat(process.waitFor()).isEqualTo(ENDED_BY_SIGTERM);
    } finally {
      process.destroyForcibly();
    }
  }

  /** A process that prints a line at the first signal and never ends by itself. */
  static final class Deaf {
    private Deaf() {}

    public static void main(String[] arguments) throws InterruptedException {
      try (StopSignals signals = new StopSignals()) {
        System.out.println("listening");
        while (!signals.getAsBoolean()) {
          Thread.onSpinWait();
        }
        System.out.println("asked to stop");
        new Semaphore(0).acquire();
      }
    }
  }
}
