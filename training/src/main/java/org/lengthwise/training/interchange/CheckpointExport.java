package org.lengthwise.training.interchange;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.error.ConfigException;
import org.lengthwise.model.DecoderForm;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.ParameterLayout;
import org.lengthwise.model.Recurrence;
import org.lengthwise.positional.PositionalScheme.PositionTable;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.safetensors.SafetensorsFile;
import org.lengthwise.training.safetensors.SafetensorsWriter;

/** Exports a checkpoint's model, without its optimizer, to a folder for other software. */
public final class CheckpointExport {
  /** The file of the weights in both layouts. */
  static final String MODEL = "model.safetensors";

  /** The metadata key of config.json's text. */
  static final String CONFIG_KEY = "lengthwise.config";

  /** The metadata key of state.json's text. */
  static final String STATE_KEY = "lengthwise.state";

  /** The metadata that readers of Hugging Face's files require. */
  private static final Map<String, String> PYTORCH_LAYOUT = Map.of("format", "pt");

  private CheckpointExport() {}

  /** The layout of an exported model. */
  public enum FileFormat {
    /** The tensor names of Lengthwise, in one file that describes itself. For every scheme. */
    SAFETENSORS("safetensors"),
    /** Hugging Face's layout of GPT-2. For language models with learned positions only. */
    GPT2("gpt2");

    private final String label;

    FileFormat(String label) {
      this.label = label;
    }

    /** {@return the name on the command line and in artifacts} */
    public String label() {
      return label;
    }

    @Override
    public String toString() {
      return label; // picocli lists the choices in this form
    }
  }

  /**
   * Writes a model. The folder appears complete or not at all.
   *
   * @param checkpoint the checkpoint
   * @param format its layout
   * @param output the folder, which must not exist
   * @throws IOException if a file cannot be read or written
   * @throws ConfigException if the layout does not support the model, or the folder exists
   */
  public static void write(Checkpoint checkpoint, FileFormat format, Path output)
      throws IOException {
    switch (format) {
      case SAFETENSORS -> writeOwn(checkpoint, output);
      case GPT2 -> writeGpt2(requireGpt2(checkpoint), output);
    }
  }

  private static void writeOwn(Checkpoint checkpoint, Path output) throws IOException {
    Map<String, String> metadata = new LinkedHashMap<>(PYTORCH_LAYOUT);
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

  private static void writeGpt2(Checkpoint checkpoint, Path output) throws IOException {
    Map<String, List<Integer>> ours = ParameterLayout.shapes(checkpoint.origin().model());
    Map<String, List<Integer>> theirs = Gpt2Layout.shapes(checkpoint.origin().model());
    try (SafetensorsFile weights = checkpoint.tensors()) {
      ArtifactFolder.create(
          output,
          folder -> {
            Gpt2Config.write(folder.resolve(Gpt2Config.FILE), checkpoint.origin());
            SafetensorsWriter.write(
                folder.resolve(MODEL),
                PYTORCH_LAYOUT,
                theirs,
                name ->
                    FloatBuffer.wrap(
                        Gpt2Layout.transposed(
                            name, Objects.requireNonNull(ours.get(name)), weights.floats(name))));
          });
    }
  }

  /** Requires a language model in the form of GPT-2, with learned positions. */
  private static Checkpoint requireGpt2(Checkpoint checkpoint) {
    ModelConfig model = checkpoint.ofLanguageModel().origin().model();
    if (!model.form().equals(DecoderForm.GPT2)) {
      throw new ConfigException(
          "--format gpt2",
          "a model of the form of GPT-2: " + DecoderForm.GPT2,
          model.form().toString(),
          "use --format safetensors");
    }
    if (!model.recurrence().equals(Recurrence.none())) {
      throw new ConfigException(
          "--format gpt2",
          "a model without recurrence",
          "recurrence " + model.recurrence().label(),
          "use --format safetensors");
    }
    if (model.position().positionTable() != PositionTable.LEARNED) {
      throw new ConfigException(
          "--format gpt2",
          "a model with learned positions, the only scheme that this layout supports",
          model.position().label(),
          "use --format safetensors");
    }
    return checkpoint;
  }
}
