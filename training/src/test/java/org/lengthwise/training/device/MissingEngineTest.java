package org.lengthwise.training.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.engine.EngineException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.error.ConfigException;

class MissingEngineTest {
  private final EngineException failure =
      new EngineException(
          "Failed to load PyTorch native library",
          new UnsatisfiedLinkError("no libtorch_cpu.so there"));

  @Test
  void messageNamesTheFolderThatIsSet(@TempDir Path empty) {
    assertThat(Devices.missing(empty.toString(), "2.7.1", failure))
        .hasMessageStartingWith("PYTORCH_LIBRARY_PATH=" + empty + ": expected the native libraries")
        .hasMessageContaining("no libtorch_cpu.so there")
        .hasMessageContaining("set it to the folder")
        .hasCause(failure);
    assertThat(Devices.missing(empty.resolve("absent").toString(), "2.7.1", failure))
        .hasMessageContaining("found no such folder");
  }

  @Test
  void withoutAFolderTheMessageSaysWhereNativesGo() {
    assertThat(Devices.missing(null, "2.7.1", failure))
        .hasMessageStartingWith("the class path and DJL's cache")
        .hasMessageContaining("unpack the archive of natives into the bundle's folder");
  }

  /** Both would load, and tensors would be read wrongly. */
  @Test
  void aLibtorchOfAnotherReleaseIsRejected(@TempDir Path torch) throws Exception {
    Path lib = Files.createDirectory(torch.resolve("lib"));
    String builtFor = Devices.jniRelease(null);
    assertThat(builtFor).matches("2\\.\\d+\\.\\d+");
    assertThatCode(() -> Devices.requireRelease(lib.toString(), builtFor))
        .doesNotThrowAnyException();

    Files.writeString(torch.resolve("build-version"), builtFor + "+cu128\n");
    assertThatCode(() -> Devices.requireRelease(lib.toString(), builtFor))
        .doesNotThrowAnyException();

    Files.writeString(
        torch.resolve("version.py"),
        "from typing import Optional\n\n__all__ = ['__version__']\n__version__ = '2.11.0+cu128'\n");
    assertThatThrownBy(() -> Devices.requireRelease(lib.toString(), builtFor))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected libtorch " + builtFor)
        .hasMessageContaining("found libtorch 2.11.0")
        .hasMessageContaining("-libdjl_torch.so")
        .hasMessageContaining("PYTORCH_VERSION");
    assertThatCode(() -> Devices.requireRelease(lib.toString(), Devices.jniRelease("2.11.0")))
        .doesNotThrowAnyException();
  }
}
