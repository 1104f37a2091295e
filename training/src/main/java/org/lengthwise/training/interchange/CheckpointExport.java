package org.lengthwise.training.interchange;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.artifact.ArtifactFolder;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.positional.Learned;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.model.ParameterLayout;
import org.lengthwise.training.safetensors.SafetensorsFile;
import org.lengthwise.training.safetensors.SafetensorsWriter;

/** A checkpoint's model in a folder for other software, without its optimiser. */
public final class CheckpointExport {
  /** The file of the weights, in both layouts. */
  static final String MODEL = "model.safetensors";

  /** What the file's metadata call a model's own description. */
  static final String CONFIG_KEY = "lengthwise.config";

  static final String STATE_KEY = "lengthwise.state";

  /** What readers of Hugging Face's files ask for: the tensors are laid out as PyTorch's are. */
  private static final Map<String, String> LAID_OUT_AS_PYTORCH = Map.of("format", "pt");

  private CheckpointExport() {}

  /**
   * Writes a model, whole or not at all.
   *
   * @param checkpoint the checkpoint
   * @param format its layout
   * @param output the folder, which must not exist
   * @throws IOException if a file cannot be read or written
   * @throws ConfigException if the layout has no place for the model's positional scheme, or the
   *     folder exists
   */
  public static void write(Checkpoint checkpoint, ExportFormat format, Path output)
      throws IOException {
    switch (format) {
      case SAFETENSORS -> writeOwn(checkpoint, output);
      case GPT2 -> writeGpt2(checkpoint, learned(checkpoint), output);
    }
  }

  private static void writeOwn(Checkpoint checkpoint, Path output) throws IOException {
    Map<String, String> metadata = new LinkedHashMap<>(LAID_OUT_AS_PYTORCH);
    ObjectMapper mapper = ConfigLoader.strictMapper();
    metadata.put(CONFIG_KEY, mapper.writeValueAsString(checkpoint.origin()));
    metadata.put(STATE_KEY, mapper.writeValueAsString(checkpoint.state()));
    Map<String, List<Integer>> shapes = ParameterLayout.shapes(checkpoint.origin().model());
    try (SafetensorsFile weights = checkpoint.tensors()) {
      ArtifactFolder.create(
          output,
          folder ->
              SafetensorsWriter.write(
                  folder.resolve(MODEL),
                  metadata,
                  shapes,
                  name -> FloatBuffer.wrap(weights.floats(name))));
    }
  }

  private static void writeGpt2(Checkpoint checkpoint, Learned positions, Path output)
      throws IOException {
    Map<String, List<Integer>> ours = ParameterLayout.shapes(checkpoint.origin().model());
    Map<String, List<Integer>> theirs = Gpt2Layout.shapes(checkpoint.origin().model());
    try (SafetensorsFile weights = checkpoint.tensors()) {
      ArtifactFolder.create(
          output,
          folder -> {
            Gpt2Config.write(folder.resolve(Gpt2Config.FILE), checkpoint.origin(), positions);
            SafetensorsWriter.write(
                folder.resolve(MODEL),
                LAID_OUT_AS_PYTORCH,
                theirs,
                name ->
                    FloatBuffer.wrap(
                        Gpt2Layout.turned(
                            name, Objects.requireNonNull(ours.get(name)), weights.floats(name))));
          });
    }
  }

  private static Learned learned(Checkpoint checkpoint) {
    if (checkpoint.origin().model().position() instanceof Learned learned) {
      return learned;
    }
    throw new ConfigException(
        "--format gpt2",
        "a model with learned positions, the only ones that this layout has a place for",
        checkpoint.origin().model().position().label(),
        "use --format safetensors");
  }
}
