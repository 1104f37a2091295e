package org.lengthwise.experiment;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.config.LayeredConfig;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.Nearest;
import org.lengthwise.measure.ExperimentRun;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.interchange.CheckpointImport;
import org.lengthwise.training.interchange.ModelFolder;

/**
 * An entry of {@code columns}: runs that share all settings but their seeds, or several such
 * columns that differ in the values of some keys. In YAML it is the name of a file, or a mapping
 * with the keys {@code files}, {@code seeds}, {@code vary}, {@code blocks}, {@code from}, and keys
 * of a training configuration. Or it is a model that is not trained: a mapping with {@code import},
 * and {@code name} if its name is not that of the folder. An entry of {@code experiment.blocks} has
 * the same form.
 *
 * @param files files with training keys, relative to the experiment file; later ones override
 * @param seeds the seeds; empty for the experiment's
 * @param vary lists of values by key path, such as {@code task.name}. Each combination of values is
 *     a column, whose name is followed by its values.
 * @param blocks names of the blocks in which the column is trained; empty for all
 * @param from a column above it, whose run of the same seed and block a second stage starts from;
 *     it has the keys of that column, except those that it overrides. An imported column is one,
 *     too
 * @param folder a model in Hugging Face's layout that is measured as it is, relative to the
 *     experiment file; without other keys than {@code name}
 * @param keys other training keys, which override the files
 */
record Column(
    @AbsentMeans("[]") List<String> files,
    @AbsentMeans("[]") List<Long> seeds,
    @AbsentMeans("{}") ObjectNode vary,
    @AbsentMeans("[]") List<String> blocks,
    @AbsentMeans("null") @Nullable String from,
    @AbsentMeans("null") @JsonProperty("import") @Nullable String folder,
    ObjectNode keys) {
  private static final String FILES = "files";
  private static final String SEEDS = "seeds";
  private static final String VARY = "vary";
  private static final String BLOCKS = "blocks";
  private static final String FROM = "from";
  private static final String IMPORT = "import";
  private static final String NAME = "name";

  /** Requires a name or a file, and values for each varied key; or only a folder and a name. */
  Column {
    files = List.copyOf(files);
    seeds = List.copyOf(seeds);
    blocks = List.copyOf(blocks);
    if (folder == null) {
      Checks.require(
          !files.isEmpty() || keys.has(NAME),
          "columns or blocks",
          "files or a name for each",
          keys);
    } else {
      Checks.require(
          files.isEmpty()
              && seeds.isEmpty()
              && vary.isEmpty()
              && blocks.isEmpty()
              && from == null
              && keys.size() == (keys.has(NAME) ? 1 : 0),
          "columns",
          "only the keys import and name, because an imported model is not trained",
          keys);
      Checks.name(NAME, name(folder, keys));
    }
    for (Map.Entry<String, JsonNode> values : vary.properties()) {
      Checks.require(
          values.getValue().isArray()
              && !values.getValue().isEmpty()
              && StreamSupport.stream(values.getValue().spliterator(), false)
                  .allMatch(JsonNode::isValueNode),
          "vary." + values.getKey(),
          "a list of values; a list or a mapping needs a column of its own",
          values.getValue());
    }
  }

  /**
   * Reads an entry.
   *
   * @param entry the name of a file, or a mapping
   */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static Column of(JsonNode entry) {
    ObjectNode none = JsonNodeFactory.instance.objectNode();
    if (entry.isTextual()) {
      return new Column(List.of(entry.textValue()), List.of(), none, List.of(), null, null, none);
    }
    Checks.require(
        entry.isObject(), "columns or blocks", "the name of a file, or a mapping", entry);
    ObjectNode keys = ((ObjectNode) entry).deepCopy();
    List<JsonNode> files = list(keys.remove(FILES), FILES, JsonNode::isTextual);
    List<JsonNode> seeds = list(keys.remove(SEEDS), SEEDS, JsonNode::isIntegralNumber);
    JsonNode vary = keys.has(VARY) ? keys.remove(VARY) : none;
    Checks.require(vary.isObject(), VARY, "a mapping of key paths to lists", vary);
    List<JsonNode> blocks = list(keys.remove(BLOCKS), BLOCKS, JsonNode::isTextual);
    String from = text(keys.remove(FROM), FROM, "the name of a column");
    String folder = text(keys.remove(IMPORT), IMPORT, "the folder of a model");
    keys.fieldNames().forEachRemaining(Column::requireKnown);
    return new Column(
        files.stream().map(JsonNode::textValue).toList(),
        seeds.stream().map(JsonNode::longValue).toList(),
        (ObjectNode) vary,
        blocks.stream().map(JsonNode::textValue).toList(),
        from,
        folder,
        keys);
  }

  /** Seeds are those of the experiment or of the column, so {@code seed} would be ignored. */
  private static void requireKnown(String key) {
    List<String> known =
        Stream.concat(
                Stream.of(FILES, SEEDS, VARY, BLOCKS, FROM, IMPORT),
                Arrays.stream(TrainingConfig.class.getRecordComponents())
                    .map(RecordComponent::getName)
                    .filter(name -> !name.equals("seed")))
            .toList();
    Checks.require(
        known.contains(key),
        "columns or blocks",
        "one of the keys " + String.join(", ", known),
        key + Nearest.suggestion(key, known));
  }

  private static @Nullable String text(@Nullable JsonNode value, String key, String meaning) {
    Checks.require(value == null || value.isTextual(), key, meaning, String.valueOf(value));
    return value == null ? null : value.textValue();
  }

  private static String name(String folder, ObjectNode keys) {
    Path last = Path.of(folder).toAbsolutePath().normalize().getFileName();
    return keys.path(NAME).asText(last == null ? "" : last.toString());
  }

  /** Whether the column is a model that is not trained. */
  boolean isImported() {
    return folder != null;
  }

  /** The folder of an imported column. */
  Path model(Path file) {
    return file.resolveSibling(Objects.requireNonNull(folder)).normalize();
  }

  /** The name of an imported column. */
  String importedName() {
    return name(Objects.requireNonNull(folder), keys);
  }

  /** The run of an imported column. Its files are read when they are needed. */
  ExperimentRun imported(Path file) {
    Path model = model(file);
    String name = importedName();
    return new ExperimentRun.Imported(name, () -> open(model, name));
  }

  private static Checkpoint open(Path folder, String name) {
    if (!ModelFolder.isOfOtherSoftware(folder)) {
      throw new ConfigException(
          "import " + folder,
          "a model in Hugging Face's layout: a folder with config.json and model*.safetensors",
          Files.isDirectory(folder)
              ? "a folder without config.json, or a checkpoint of ours"
              : "no such folder",
          "correct the key import of the column, such as --set experiment.columns.0.import=FOLDER");
    }
    try {
      return new CheckpointImport(name, null).open(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<JsonNode> list(
      @Nullable JsonNode values, String key, Predicate<JsonNode> isValid) {
    if (values == null) {
      return List.of();
    }
    List<JsonNode> list = StreamSupport.stream(values.spliterator(), false).toList();
    Checks.require(
        values.isArray() && list.stream().allMatch(isValid), key, "a list of " + key, values);
    return list;
  }

  /**
   * The configurations of the columns, without seeds.
   *
   * @param base the keys that this column overrides
   * @param entry the keys of this entry
   */
  List<LayeredConfig> on(LayeredConfig base, LayeredConfig entry, Path file) {
    LayeredConfig own = entry.without(SEEDS).without(VARY).without(BLOCKS).without(FROM);
    boolean hasScheme =
        overlaid(LayeredConfig.none(), own, file).tree().path("position").has("scheme");
    // Another scheme does not have the keys of that of its source.
    return combinations(overlaid(hasScheme ? base.without("position") : base, own, file));
  }

  private LayeredConfig overlaid(LayeredConfig base, LayeredConfig entry, Path file) {
    LayeredConfig own = base;
    for (String name : files) {
      own = own.overlay(file.resolveSibling(name));
    }
    return own.overlay(entry.without(FILES));
  }

  /** This entry with the keys of its files, or with the absolute path of its model. */
  ObjectNode whole(LayeredConfig entry, Path file) {
    ObjectNode own = overlaid(LayeredConfig.none(), entry, file).tree();
    return folder == null
        ? own
        : own.put(IMPORT, file.toAbsolutePath().resolveSibling(folder).toString());
  }

  private List<LayeredConfig> combinations(LayeredConfig own) {
    String name = name(own);
    return combinations().stream()
        .map(
            settings -> {
              List<String> all = new ArrayList<>(settings);
              if (!settings.isEmpty()) {
                all.add(NAME + "=" + String.join("-", names(name, settings)));
              }
              return own.with(all);
            })
        .toList();
  }

  /** The name in a configuration. */
  static String name(LayeredConfig config) {
    return config.tree().path(NAME).asText();
  }

  /**
   * A column in a block, whose name is followed by that of the block.
   *
   * @param config the column's configuration on top of that of the block
   * @param block the name of the block
   */
  static LayeredConfig in(String block, LayeredConfig config) {
    return config.with(List.of(NAME + "=" + name(config) + "-" + block));
  }

  private static List<String> names(String name, List<String> settings) {
    return Stream.concat(
            Stream.of(name),
            settings.stream().map(setting -> setting.substring(setting.indexOf('=') + 1)))
        .toList();
  }

  /** The settings of each combination of varied values, the first key changes slowest. */
  private List<List<String>> combinations() {
    List<List<String>> combinations = List.of(List.of());
    for (Map.Entry<String, JsonNode> varied : vary.properties()) {
      List<List<String>> longer = new ArrayList<>();
      for (List<String> before : combinations) {
        for (JsonNode value : varied.getValue()) {
          longer.add(
              Stream.concat(before.stream(), Stream.of(varied.getKey() + "=" + value.asText()))
                  .toList());
        }
      }
      combinations = longer;
    }
    return combinations;
  }
}
