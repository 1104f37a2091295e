package org.lengthwise.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.LayeredConfig;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.Nearest;
import org.lengthwise.measure.ExperimentRun;
import org.lengthwise.training.config.TaskConfig;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.loop.StartingPoint;

/**
 * The runs of an experiment file: each column in its blocks, with each seed. The keys of a block
 * override those of the file, and the keys of a column override both.
 */
public final class ExperimentFile {
  private static final String SECTION = "experiment";

  /** The keys of an experiment file. */
  private static final List<String> KEYS =
      Stream.concat(
              Stream.of(SECTION),
              Stream.of(TrainingConfig.class.getRecordComponents()).map(RecordComponent::getName))
          .toList();

  private ExperimentFile() {}

  /**
   * {@return the content of an experiment file that needs no other file: its columns and blocks
   * have the keys of their files, and absolute paths of models}
   *
   * @param settings overrides, as {@code key.path=value}
   * @throws ConfigException if a file cannot be read
   */
  public static ObjectNode whole(Path file, List<String> settings) {
    LayeredConfig config = ConfigLoader.load(file, settings);
    ObjectNode tree = config.tree();
    for (String list : List.of("columns", "blocks")) {
      if (tree.path(SECTION).path(list) instanceof ArrayNode entries) {
        List<LayeredConfig> keys = config.entries(SECTION, list);
        for (int i = 0; i < entries.size(); i++) {
          entries.set(i, Column.of(entries.get(i)).whole(keys.get(i), file));
        }
      }
    }
    return tree;
  }

  /**
   * What an experiment trains.
   *
   * @param runs each run by its name, in the order of columns and then of seeds
   * @param sources the run from which a second stage starts, by the name of the second stage
   * @param searches the search for the settings of runs, by the name of the runs without a seed
   */
  record Runs(
      Map<String, ExperimentRun> runs, Map<String, String> sources, Map<String, Search> searches) {}

  static Runs runs(Path file, LayeredConfig whole, ExperimentConfig config, List<String> settings) {
    List<String> training =
        settings.stream().filter(setting -> !setting.startsWith(SECTION + ".")).toList();
    if (config.search() != null) {
      config.search().requireNotDrawn(training);
    }
    Map<String, ExperimentRun> runs = new LinkedHashMap<>();
    Map<String, String> sources = new LinkedHashMap<>();
    Map<String, Search> searches = new LinkedHashMap<>();
    Map<String, Path> models = new HashMap<>();
    Map<String, LayeredConfig> stages = new HashMap<>();
    List<Block> blocks = blocks(whole, config, file);
    List<LayeredConfig> entries = whole.entries(SECTION, "columns");
    for (int i = 0; i < entries.size(); i++) {
      Column column = config.columns().get(i);
      if (column.isImported()) {
        add(runs, column.imported(file), file);
        models.put(column.importedName(), column.model(file));
        continue;
      }
      for (Block block : in(column, blocks)) {
        List<Long> seeds =
            Stream.of(column.seeds(), block.seeds, config.seeds())
                .filter(list -> !list.isEmpty())
                .findFirst()
                .orElseThrow();
        String from = column.from() == null ? "" : column.from();
        String source = block.name.isEmpty() || from.isEmpty() ? from : from + "-" + block.name;
        if (!from.isEmpty() && !models.containsKey(from) && !stages.containsKey(source)) {
          throw unknown("from", from, "a column above it, in the same blocks", stages.keySet());
        }
        LayeredConfig base = stages.getOrDefault(source, block.config);
        for (LayeredConfig each : column.on(base, entries.get(i), file)) {
          LayeredConfig named =
              (block.name.isEmpty() ? each : Column.in(block.name, each)).with(training);
          if (models.containsKey(from)) {
            named = named.with(List.of("start.checkpoint=" + models.get(from)));
          }
          named = StartingPoint.under(named);
          for (long seed : seeds) {
            LayeredConfig run = named.with(List.of("seed=" + seed));
            if (stages.containsKey(source)) {
              String before = source + "-seed" + seed;
              sources.put(Column.name(named) + "-seed" + seed, before);
              run = run.with(startingAt(before, runs));
            }
            TrainingConfig bound = run.bind(TrainingConfig.class);
            boolean isHere = stages.containsKey(source); // its source will be a run
            TrainingConfig known = isHere ? bound : StartingPoint.resolved(bound);
            add(runs, new ExperimentRun.Trained(known), file);
            stages.put(Column.name(named), stage(named, known));
          }
          if (config.search() != null) {
            searches.put(Column.name(named), Search.of(config.search(), named, seeds));
          }
        }
      }
    }
    if (runs.values().stream().noneMatch(ExperimentRun::isTrained)) {
      whole.requireOnly(KEYS); // no training configuration is bound, which would check them
    }
    config.requireKnownTasks(runs.values());
    config.requireDifferentNames(runs.values());
    return new Runs(runs, sources, searches);
  }

  /** The keys of a second stage of a run. */
  private static List<String> startingAt(String run, Map<String, ExperimentRun> runs) {
    if (!(runs.get(run) instanceof ExperimentRun.Trained source)) {
      throw unknown("from", run, "a run of the same seed", runs.keySet());
    }
    int length = source.task().map(TaskConfig::longestTokens).orElse(source.length());
    return List.of("start.checkpoint=" + run, "start.length=" + length);
  }

  /** What columns that start from a column have below their keys: its model, not its start. */
  private static LayeredConfig stage(LayeredConfig named, TrainingConfig bound) {
    ObjectMapper mapper = ConfigLoader.strictMapper();
    ObjectNode position = mapper.createObjectNode();
    position.set("position", mapper.valueToTree(bound.position()));
    return named
        .without("start")
        .without("position")
        .overlay(LayeredConfig.of(position, "the column " + bound.name()));
  }

  private static ConfigException unknown(
      String key, String name, String expected, Collection<String> known) {
    return new ConfigException(
        "experiment.columns[]." + key,
        "%s: %s".formatted(expected, known.isEmpty() ? "none" : String.join(", ", known)),
        name + Nearest.suggestion(name, known),
        "correct or remove it");
  }

  /** What every column does, below the keys of the column. The name is empty without blocks. */
  private record Block(String name, LayeredConfig config, List<Long> seeds) {}

  private static List<Block> blocks(LayeredConfig whole, ExperimentConfig config, Path file) {
    LayeredConfig base = whole.without(SECTION);
    if (config.blocks().isEmpty()) {
      return List.of(new Block("", base, List.of()));
    }
    List<LayeredConfig> entries = whole.entries(SECTION, "blocks");
    return IntStream.range(0, entries.size())
        .boxed()
        .flatMap(
            i -> {
              Column block = config.blocks().get(i);
              return block.on(base, entries.get(i), file).stream()
                  .map(each -> new Block(Column.name(each), each, block.seeds()));
            })
        .toList();
  }

  /** The blocks in which a column stands. */
  private static List<Block> in(Column column, List<Block> blocks) {
    List<String> known = blocks.stream().map(Block::name).filter(name -> !name.isEmpty()).toList();
    for (String name : column.blocks()) {
      if (!known.contains(name)) {
        throw unknown("blocks", name, "names of blocks", known);
      }
    }
    return blocks.stream()
        .filter(block -> column.blocks().isEmpty() || column.blocks().contains(block.name))
        .toList();
  }

  private static void add(Map<String, ExperimentRun> runs, ExperimentRun run, Path file) {
    if (runs.put(run.nameWithSeed(), run) != null) {
      throw new ConfigException(
          file.toString(),
          "columns with different names",
          "two named " + run.name(),
          "give one of the columns or its position file another name");
    }
  }
}
