package org.lengthwise.training.interchange;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.CheckpointFolder;
import org.lengthwise.training.checkpoint.RunFolder;

/** Opens a model wherever a command takes a checkpoint. */
public final class ModelFolder {
  private ModelFolder() {}

  /**
   * {@return a checkpoint, the newest checkpoint of a run, or a model in Hugging Face's layout,
   * which is read as it is}
   */
  public static Checkpoint open(Path folder) throws IOException {
    return isOfOtherSoftware(folder)
        ? new CheckpointImport(null, null).open(folder)
        : RunFolder.resolve(folder);
  }

  /**
   * {@return whether a folder holds a model of other software} Our checkpoints have a config.json,
   * too, and a state.json.
   */
  public static boolean isOfOtherSoftware(Path folder) {
    return Files.isRegularFile(folder.resolve(ModelFiles.CONFIG))
        && !CheckpointFolder.isOurs(folder);
  }
}
