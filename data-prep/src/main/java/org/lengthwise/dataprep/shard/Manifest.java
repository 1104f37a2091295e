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
import org.lengthwise.dataprep.BuildInfo;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.artifact.AtomicFile;
import org.lengthwise.dataprep.config.ConfigLoader;

/**
 * What a shard folder holds and how it came to be, stored in it as {@code manifest.json}.
 *
 * @param formatVersion the version of {@link ShardFormat} that the folder follows
 * @param tokenizer what made the tokens
 * @param inputs the files that were read, in the order in which they were read
 * @param settings the resolved configuration of the run that wrote the folder
 * @param splits every split with its shards; a split without documents has none
 * @param rejects the number of malformed records that were set aside
 * @param duplicates the number of documents that were left out because their text had occurred
 * @param build the build that wrote the folder
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

  /** The manifest's name in its folder. */
  public static final String FILE = "manifest.json";

  /** Checks that every split is present, and takes copies. */
  public Manifest {
    Objects.requireNonNull(tokenizer, "tokenizer");
    Objects.requireNonNull(build, "build");
    inputs = List.copyOf(inputs);
    settings = settings.deepCopy();
    if (splits.size() != Split.values().length) {
      throw new IllegalArgumentException(
          "splits must hold every one of "
              + List.of(Split.values())
              + ", found "
              + splits.keySet());
    }
    splits = Collections.unmodifiableMap(new EnumMap<>(splits));
    if (rejects < 0 || duplicates < 0) {
      throw new IllegalArgumentException(
          "counts must not be negative, found %d rejects, %d duplicates"
              .formatted(rejects, duplicates));
    }
  }

  /**
   * One split of the folder.
   *
   * @param split which one
   * @return its counts and shards
   */
  public SplitEntry split(Split split) {
    return Objects.requireNonNull(splits.get(split));
  }

  /**
   * Stores the manifest.
   *
   * @param folder the shard folder
   * @throws IOException when the file cannot be written
   */
  public void write(Path folder) throws IOException {
    AtomicFile.write(
        folder.resolve(FILE),
        out -> ConfigLoader.strictMapper().writerWithDefaultPrettyPrinter().writeValue(out, this));
  }

  /**
   * Reads the manifest of a folder.
   *
   * @param folder the shard folder
   * @return what it holds
   * @throws IOException when the file cannot be read
   * @throws DataFormatException when it is not a manifest of this format version
   */
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
          e.getOriginalMessage(),
          "restore the file, or prepare the folder again",
          e);
    }
  }

  /** A missing key is told as what it is, not as what a parser makes of it. */
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
          "none called " + String.join(", ", missing),
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
