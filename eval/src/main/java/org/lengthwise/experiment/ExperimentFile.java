package org.lengthwise.experiment;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
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
import org.lengthwise.training.config.TrainingConfig;

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
   * @param searches the search for the settings of runs, by the name of the runs without a seed
   */
  record Runs(Map<String, ExperimentRun> runs, Map<String, Search> searches) {}

  static Runs runs(Path file, LayeredConfig whole, ExperimentConfig config, List<String> settings) {
    List<String> training =
        settings.stream().filter(setting -> !setting.startsWith(SECTION + ".")).toList();
    Map<String, ExperimentRun> runs = new LinkedHashMap<>();
    Map<String, Search> searches = new LinkedHashMap<>();
    List<Block> blocks = blocks(whole, config, file);
    List<LayeredConfig> entries = whole.entries(SECTION, "columns");
    for (int i = 0; i < entries.size(); i++) {
      Column column = config.columns().get(i);
      if (column.isImported()) {
        add(runs, column.imported(file), file);
        continue;
      }
      for (Block block : in(column, blocks)) {
        List<Long> seeds =
            Stream.of(column.seeds(), block.seeds, config.seeds())
                .filter(list -> !list.isEmpty())
                .findFirst()
                .orElseThrow();
        for (LayeredConfig each : column.on(block.config, entries.get(i), file)) {
          LayeredConfig named =
              (block.name.isEmpty() ? each : Column.in(block.name, each)).with(training);
          if (config.search() != null) {
            Search search = Search.of(config.search(), named, seeds.get(0));
            searches.put(Column.name(named), search);
          }
          for (long seed : seeds) {
            LayeredConfig run = named.with(List.of("seed=" + seed));
            add(runs, new ExperimentRun.Trained(run.bind(TrainingConfig.class)), file);
          }
        }
      }
    }
    if (runs.values().stream().noneMatch(ExperimentRun::isTrained)) {
      whole.requireOnly(KEYS); // no training configuration is bound, which would check them
    }
    config.requireKnownTasks(runs.values());
    return new Runs(runs, searches);
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
        throw new ConfigException(
            "experiment.columns[].blocks",
            "names of blocks: " + (known.isEmpty() ? "none" : String.join(", ", known)),
            name + Nearest.suggestion(name, known),
            "correct or remove it");
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
