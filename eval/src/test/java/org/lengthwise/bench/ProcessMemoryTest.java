package org.lengthwise.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessMemoryTest {
  @Test
  void readsResidentAndPeakMemory(@TempDir Path process) throws IOException {
    Files.writeString(
        process.resolve("status"), "Name:\tjava\nVmHWM:\t    2048 kB\nVmRSS:\t    1024 kB\n");
    ProcessMemory memory = new ProcessMemory(process);
    assertThat(memory.peak()).hasValue(2L << 20);
    assertThat(memory.resident()).hasValue(1L << 20);
  }

  @Test
  void resetsThePeakThroughTheKernel(@TempDir Path process) throws IOException {
    Path request = Files.createFile(process.resolve("clear_refs"));
    assertThat(new ProcessMemory(process).resetPeak()).isTrue();
    assertThat(request).hasContent("5");
  }

  @Test
  void hasNoAnswerWithoutTheFilesOfLinux(@TempDir Path nothing) {
    ProcessMemory memory = new ProcessMemory(nothing.resolve("self"));
    assertThat(memory.resetPeak()).isFalse();
    assertThat(memory.peak()).isEmpty();
    assertThat(memory.resident()).isEmpty();
  }
}
