package org.lengthwise.training.interchange;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.config.Checks;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.EnumName;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.dataprep.tokenizer.BosRule;
import org.lengthwise.error.ConfigException;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.NormForm;
import org.lengthwise.model.ParameterLayout;
import org.lengthwise.model.Recurrence;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.ModelOrigin;
import org.lengthwise.training.interchange.FamilyConfig.Difference;
import org.lengthwise.training.safetensors.SafetensorsWriter;
import org.lengthwise.training.safetensors.Tensors;

/** Exports a checkpoint's model, without its optimizer, to a folder for other software. */
public final class CheckpointExport {
  /** Our own layout: one file that describes itself, for every scheme. */
  public static final String OWN = "safetensors";

  /** The file of the weights in all layouts. */
  static final String MODEL = "model.safetensors";

  static final String CONFIG_KEY = "lengthwise.config";

  /** The metadata key of the identity of the tokenizer, for a model without tokenizer.json. */
  static final String TOKENIZER_KEY = "lengthwise.tokenizer";

  static final String STATE_KEY = "lengthwise.state";

  /** The metadata key of a model whose documents begin without the BOS of its tokenizer. */
  static final String NO_BOS_KEY = "lengthwise.without_bos";

  /** The metadata that readers of Hugging Face's files require. */
  private static final Map<String, String> PYTORCH_LAYOUT = Map.of("format", "pt");

  private static final Logger LOG = LogManager.getLogger(CheckpointExport.class);

  private CheckpointExport() {}

  /** {@return the layouts: {@link #OWN}, then the families of public decoders} */
  public static List<String> formats() {
    return Stream.concat(Stream.of(OWN), Family.labels().stream()).toList();
  }

  /** Writes a model. The folder appears complete or not at all. */
  public static void write(Checkpoint checkpoint, String format, Path output) throws IOException {
    try {
      Checks.oneOf("format", format, formats());
    } catch (InvalidValueException e) {
      throw e.ofOption();
    }
    if (format.equals(OWN)) {
      writeOwn(checkpoint, output);
    } else {
      writeFamily(Family.of(format), checkpoint.ofLanguageModel(), output);
    }
  }

  private static void writeOwn(Checkpoint checkpoint, Path output) throws IOException {
    Map<String, String> metadata = new LinkedHashMap<>(PYTORCH_LAYOUT);
    ObjectMapper mapper = ConfigLoader.strictMapper();
    metadata.put(CONFIG_KEY, mapper.writeValueAsString(checkpoint.origin()));
    metadata.put(STATE_KEY, mapper.writeValueAsString(checkpoint.state()));
    Map<String, List<Integer>> shapes = ParameterLayout.shapes(checkpoint.origin().model());
    try (Tensors weights = checkpoint.tensors()) {
      ArtifactFolder.create(
          output,
          folder -> {
            copyTokenizer(checkpoint, folder);
            SafetensorsWriter.write(
                folder.resolve(MODEL),
                metadata,
                shapes,
                name -> FloatBuffer.wrap(weights.floats(name)));
          });
    }
  }

  private static void writeFamily(Family family, Checkpoint checkpoint, Path output)
      throws IOException {
    ModelConfig model = expressible(family, checkpoint);
    Collection<StoredTensor> tensors = family.tensors(model).values();
    Map<String, StoredTensor> byPart = new HashMap<>();
    tensors.forEach(tensor -> tensor.parts().forEach(part -> byPart.put(part.name(), tensor)));
    Map<String, String> metadata = new LinkedHashMap<>(PYTORCH_LAYOUT);
    metadata.put(
        TOKENIZER_KEY,
        ConfigLoader.strictMapper().writeValueAsString(checkpoint.origin().tokenizer()));
    try (Tensors weights = checkpoint.tensors()) {
      ArtifactFolder.create(
          output,
          folder -> {
            ConfigLoader.strictMapper()
                .writerWithDefaultPrettyPrinter()
                .writeValue(
                    folder.resolve(ModelFiles.CONFIG).toFile(),
                    FamilyWriter.write(family, model, checkpoint.origin()));
            if (!copyTokenizer(checkpoint, folder)) {
              metadata.put(NO_BOS_KEY, "true");
            }
            SafetensorsWriter.write(
                folder.resolve(MODEL),
                metadata,
                StoredTensor.shapes(tensors),
                part -> {
                  StoredTensor tensor = Objects.requireNonNull(byPart.get(part));
                  return FloatBuffer.wrap(tensor.part(part, weights.floats(tensor.name())));
                });
          });
    }
  }

  /** {@return whether the copy begins a text as the model was trained} */
  private static boolean copyTokenizer(Checkpoint checkpoint, Path folder) throws IOException {
    Optional<Path> tokenizer = checkpoint.tokenizerFile();
    if (tokenizer.isEmpty()) {
      return true;
    }
    Path copy = Files.copy(tokenizer.get(), folder.resolve(ModelFiles.TOKENIZER));
    ModelOrigin origin = checkpoint.origin();
    boolean agrees = BosRule.write(copy, origin.bos(), origin.tokenizer().endOfText());
    if (!agrees) {
      LOG.warn(
          "{} was trained without the BOS that its tokenizer.json adds: in transformers encode with"
              + " add_special_tokens=False",
          origin.name());
    }
    return agrees;
  }

  /** The shape with which a family computes a checkpoint's model: its own, or without biases. */
  private static ModelConfig expressible(Family family, Checkpoint checkpoint) throws IOException {
    ModelOrigin origin = checkpoint.origin();
    ModelConfig model = withoutNtk(origin.model());
    if (!model.recurrence().equals(Recurrence.none())) {
      throw new ConfigException(
          "--format " + family.label(),
          "a model without recurrence",
          "recurrence " + model.recurrence().label(),
          "use --format safetensors");
    }
    List<Difference> differences = differences(family, model, origin);
    if (differences.isEmpty()) {
      return model;
    }
    ModelConfig bare = withoutBiases(model);
    if (differences(family, bare, origin).isEmpty() && hasZeroBiases(checkpoint)) {
      return bare;
    }
    throw new ConfigException(
        "--format " + family.label(),
        words(differences, Difference::own),
        words(differences, Difference::other),
        nearest(model, origin));
  }

  /** What a family would change in a model: the difference of what is written and read again. */
  private static List<Difference> differences(
      Family family, ModelConfig model, ModelOrigin origin) {
    ConfigJson written =
        new ConfigJson(
            "--format " + family.label() + ": ", FamilyWriter.write(family, model, origin));
    return FamilyConfig.of(written).differences(model);
  }

  private static String words(List<Difference> differences, Function<Difference, String> value) {
    return differences.stream()
        .map(difference -> difference.key() + " " + value.apply(difference))
        .collect(Collectors.joining(", "));
  }

  /** A family, and the values that a model needs for it. */
  private record Fit(Family family, List<Difference> missing) {
    boolean hasScheme() {
      return missing.stream().noneMatch(value -> value.key().equals("position.scheme"));
    }

    String next() {
      return missing.isEmpty()
          ? "use --format " + family.label()
          : "use --format safetensors; the nearest family, %s, fits a model that is trained with %s"
              .formatted(family.label(), words(missing, Difference::own));
    }
  }

  private static String nearest(ModelConfig model, ModelOrigin origin) {
    List<Fit> fits = new ArrayList<>();
    for (Family family : Family.values()) {
      try {
        fits.add(new Fit(family, differences(family, model, origin)));
      } catch (ConfigException e) {
        // This family cannot have the widths of the model.
      }
    }
    return fits.stream()
        .filter(Fit::hasScheme)
        .min(Comparator.comparingInt(fit -> fit.missing().size()))
        .map(Fit::next)
        .orElse("use --format safetensors");
  }

  /** NTK's scaling is another base, which other software knows. */
  static ModelConfig withoutNtk(ModelConfig model) throws IOException {
    ObjectMapper mapper = ConfigLoader.strictMapper();
    ObjectNode json = mapper.valueToTree(model);
    JsonNode scaling = json.path("position").path("scaling");
    if (!scaling.path("type").asText().equals("ntk")) {
      return model;
    }
    ObjectNode position = (ObjectNode) json.path("position");
    double rotated = Math.rint(position.path("share").doubleValue() * model.headWidth());
    double factor = scaling.path("factor").doubleValue();
    position.put(
        "base", position.path("base").doubleValue() * Math.pow(factor, rotated / (rotated - 2)));
    position.remove("scaling");
    return mapper.treeToValue(json, ModelConfig.class);
  }

  private static ModelConfig withoutBiases(ModelConfig model) throws IOException {
    ObjectMapper mapper = ConfigLoader.strictMapper();
    ObjectNode json = mapper.valueToTree(model);
    ((ObjectNode) json.path("form")).put("attention_bias", false);
    ((ObjectNode) json.path("form").path("mlp")).put("bias", false);
    if (model.form().norms().kind() == NormForm.Kind.LAYER) {
      String kind = EnumName.of(NormForm.Kind.LAYER_WITHOUT_BIAS);
      ((ObjectNode) json.path("form").path("norms")).put("kind", kind);
    }
    return mapper.treeToValue(json, ModelConfig.class);
  }

  private static boolean hasZeroBiases(Checkpoint checkpoint) throws IOException {
    try (Tensors weights = checkpoint.tensors()) {
      for (String name : ParameterLayout.shapes(checkpoint.origin().model()).keySet()) {
        if (name.endsWith(".bias")) {
          float[] biases = weights.floats(name);
          if (!Arrays.equals(biases, new float[biases.length])) {
            return false;
          }
        }
      }
    }
    return true;
  }
}
