package org.lengthwise.training.device;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.engine.EngineException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MissingEngineTest {
  private final EngineException failure =
      new EngineException(
          "Failed to load PyTorch native library",
          new UnsatisfiedLinkError("no libtorch_cpu.so there"));

  @Test
  void messageNamesTheFolderThatIsSet(@TempDir Path empty) {
    assertThat(Devices.missing(empty.toString(), failure))
        .hasMessageStartingWith("PYTORCH_LIBRARY_PATH=" + empty + ": expected the native libraries")
        .hasMessageContaining("no libtorch_cpu.so there")
        .hasMessageContaining("set it to the folder")
        .hasCause(failure);
    assertThat(Devices.missing(empty.resolve("absent").toString(), failure))
        .hasMessageContaining("found no such folder");
  }

  @Test
  void withoutAFolderTheMessageSaysWhereNativesGo() {
    assertThat(Devices.missing(null, failure))
        .hasMessageStartingWith("the class path and DJL's cache")
        .hasMessageContaining("unpack the archive of natives into the bundle's folder");
  }
}
