package org.lengthwise.training.device;

import ai.djl.engine.Engine;
import ai.djl.engine.EngineException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.ConfigException;

/** The engine's native libraries, libtorch and DJL's own, without which there is no engine. */
final class EngineLibrary {
  private static final String FOLDER = "PYTORCH_LIBRARY_PATH";

  private EngineLibrary() {}

  /**
   * The engine, its libraries loaded.
   *
   * @throws ConfigException if they are not there, or do not fit
   */
  static Engine load() {
    try {
      return Engine.getEngine("PyTorch");
    } catch (EngineException | IllegalStateException | LinkageError e) {
      throw missing(System.getenv(FOLDER), e);
    }
  }

  /**
   * What a user is told.
   *
   * @param folder where libtorch was said to be, or null if nothing was said
   * @param failure why the engine could not be loaded
   */
  static ConfigException missing(@Nullable String folder, Throwable failure) {
    return new ConfigException(
        folder == null ? "the class path and DJL's cache, ~/.djl.ai" : FOLDER + "=" + folder,
        "the native libraries of libtorch 2.7.1, such as libtorch_cpu.so",
        found(folder, failure),
        folder == null
            ? "unpack the archive of natives beside the bundle, or name libtorch's folder in "
                + FOLDER
            : "name the folder that libtorch's libraries lie in, or unset the variable",
        failure);
  }

  /** The first cause says what was missing; those around it say that something was. */
  private static String found(@Nullable String folder, Throwable failure) {
    if (folder != null && !Files.isDirectory(Path.of(folder))) {
      return "no such folder";
    }
    Throwable first = failure;
    while (first.getCause() != null) {
      first = first.getCause();
    }
    return "none that could be loaded (" + first + ")";
  }
}
