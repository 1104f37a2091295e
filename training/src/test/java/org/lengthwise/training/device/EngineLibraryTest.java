package org.lengthwise.training.device;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.engine.EngineException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineLibraryTest {
  private final EngineException failure =
      new EngineException(
          "Failed to load PyTorch native library",
          new UnsatisfiedLinkError("no libtorch_cpu.so there"));

  @Test
  void folderThatWasNamedIsTold(@TempDir Path empty) {
    assertThat(EngineLibrary.missing(empty.toString(), failure))
        .hasMessageStartingWith("PYTORCH_LIBRARY_PATH=" + empty + ": expected the native libraries")
        .hasMessageContaining("no libtorch_cpu.so there")
        .hasMessageContaining("name the folder")
        .hasCause(failure);
    assertThat(EngineLibrary.missing(empty.resolve("absent").toString(), failure))
        .hasMessageContaining("found no such folder");
  }

  @Test
  void whoNamedNoFolderIsToldWhereNativesGo() {
    assertThat(EngineLibrary.missing(null, failure))
        .hasMessageStartingWith("the class path and DJL's cache")
        .hasMessageContaining("unpack the archive of natives beside the bundle");
  }
}
