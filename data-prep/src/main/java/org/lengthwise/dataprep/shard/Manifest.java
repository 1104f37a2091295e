package org.lengthwise.dataprep.shard;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.lengthwise.artifact.AtomicFile;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.config.Checks;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.JsonFault;
import org.lengthwise.error.DataFormatException;

/**
 * The content and origin of a shard folder, stored in it as {@code manifest.json}.
 *
 * @param settings the resolved configuration of the run that wrote the folder
 * @param splits all splits with their shards; a split without documents has no shards
 * @param duplicates the number of skipped documents whose text occurred before
 */
public record Manifest(
    int formatVersion,
    TokenizerIdentity tokenizer,
    List<InputEntry> inputs,
    ObjectNode settings,
    Map<Split, SplitEntry> splits,
    long rejects,
    long duplicates,
    BuildInfo build) {

  public static final String FILE = "manifest.json";

  public Manifest {
    Objects.requireNonNull(tokenizer, "tokenizer");
    Objects.requireNonNull(build, "build");
    inputs = List.copyOf(inputs);
    settings = settings.deepCopy();
    Checks.require(
        splits.keySet().containsAll(List.of(Split.values())),
        "splits",
        "all of " + List.of(Split.values()),
        splits.keySet());
    splits = Collections.unmodifiableMap(new EnumMap<>(splits));
    Checks.atLeast("rejects", rejects, 0);
    Checks.atLeast("duplicates", duplicates, 0);
  }

  public SplitEntry split(Split split) {
    return Objects.requireNonNull(splits.get(split));
  }

  public void write(Path folder) throws IOException {
    AtomicFile.write(
        folder.resolve(FILE),
        out -> ConfigLoader.strictMapper().writerWithDefaultPrettyPrinter().writeValue(out, this));
  }

  public static Manifest read(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    ObjectMapper mapper = ConfigLoader.strictMapper();
    try {
      JsonNode tree = mapper.readTree(Files.readAllBytes(file));
      requireVersion(file, tree.path("format_version"));
      requireKeys(file, tree);
      return mapper.treeToValue(tree, Manifest.class);
    } catch (NoSuchFileException e) {
      throw new DataFormatException(
          file.toString(), "the manifest", "no such file", "prepare the folder again", e);
    } catch (JsonProcessingException e) {
      throw new DataFormatException(
          file.toString(),
          "a manifest of format version " + ShardFormat.VERSION,
          JsonFault.ofValue(e),
          "restore the file, or prepare the folder again",
          e);
    }
  }

  /** Reports missing keys before the parser fails with a less helpful message. */
  private static void requireKeys(Path file, JsonNode manifest) {
    PropertyNamingStrategies.NamingBase keys = PropertyNamingStrategies.SnakeCaseStrategy.INSTANCE;
    List<String> missing =
        Stream.of(Manifest.class.getRecordComponents())
            .map(component -> keys.translate(component.getName()))
            .filter(key -> !manifest.has(key))
            .toList();
    if (!missing.isEmpty()) {
      throw new DataFormatException(
          file.toString(),
          "the keys of a manifest of format version " + ShardFormat.VERSION,
          "no " + String.join(", ", missing),
          "restore the file, or prepare the folder again: an earlier build may have written it");
    }
  }

  private static void requireVersion(Path file, JsonNode version) {
    if (version.asInt(-1) != ShardFormat.VERSION) {
      throw new DataFormatException(
          file.toString(),
          "format_version " + ShardFormat.VERSION,
          version.isMissingNode() ? "none" : version.toString(),
          "read it with the release that wrote it, or prepare the folder again");
    }
  }
}
