package org.lengthwise.dataprep.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.dataprep.mapreduce.JobRequest;
import org.lengthwise.dataprep.mapreduce.MapReducePreparation;
import org.lengthwise.dataprep.mapreduce.MapReduceSettings;
import org.lengthwise.dataprep.prepare.Preparation;
import org.lengthwise.dataprep.prepare.PrepareRequest;
import org.lengthwise.dataprep.prepare.PrepareSettings;
import org.lengthwise.dataprep.prepare.PrepareSummary;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.SplitEntry;
import org.lengthwise.dataprep.source.Selection;
import org.lengthwise.dataprep.storage.Storage;
import org.lengthwise.dataprep.tokenizer.BosRule;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.dataprep.tokenizer.Tokenizers;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.Count;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code prepare}: raw text to token shards. */
@Command(
    name = "prepare",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Turns raw text into token shards.",
    description =
        "The other commands read these shards. The same input and settings give the same bytes. A"
            + " finished output is skipped, an interrupted one resumes.",
    footer = {
      "",
      "Input files end with .jsonl, .json, .ndjson, .jl, .txt or .tar, also before .gz, .zst or .xz,"
          + " or with .tgz, .zip, .jar or .parquet. Folders are searched for such files."
          + " Files that accompany them, such as README.md, are skipped and listed. With --tokens, the"
          + " files end with .bin and hold the ids of --tokenizer.",
      "",
      "Example:",
      "  prepare --input openwebtext2.tar --output owt2 --tokenizer gpt2",
      "  prepare --input fineweb --include 'data/train-*' --output fw --tokenizer gpt2",
      "  prepare --input train.bin --tokens nanogpt --output owt --tokenizer gpt2"
    })
public final class PrepareCommand implements Callable<Integer> {

  private static final Logger LOG = LogManager.getLogger(PrepareCommand.class);
  private static final String DIVISION = "mapreduce.yaml";
  private static final String LOCAL = "local";
  private static final String MAPREDUCE = "mapreduce";

  @Option(
      names = "--input",
      required = true,
      split = ",",
      paramLabel = "URI",
      description = "Files and folders, local or on a Hadoop file system. May be repeated.")
  private List<String> inputs = new ArrayList<>();

  @Option(
      names = "--output",
      required = true,
      paramLabel = "URI",
      description = "The shard folder to write.")
  private String output = "";

  @Option(
      names = "--tokenizer",
      required = true,
      paramLabel = "gpt2|bytes|PATH",
      description =
          "A built-in tokenizer, or the path of a Hugging Face tokenizer.json or of a model's folder"
              + " that holds it.")
  private String tokenizer = "";

  @Option(
      names = "--text-column",
      paramLabel = "NAME",
      description =
          "The column of a Parquet file, or the key of a JSON record, that holds the text; a.b is"
              + " the field b of a. Default: the setting text_column.")
  private @Nullable String textColumn;

  @Option(
      names = "--include",
      paramLabel = "GLOB",
      description =
          "Reads only files of this name, such as *.parquet, or of this path below the input"
              + " folder, such as data/train-*. May be repeated.")
  private List<String> include = new ArrayList<>();

  @Option(
      names = "--exclude",
      paramLabel = "GLOB",
      description = "Skips files of this name or path. May be repeated.")
  private List<String> exclude = new ArrayList<>();

  @ArgGroup(exclusive = false)
  private @Nullable TokenOptions tokens;

  @Option(
      names = "--dedup",
      paramLabel = "none|exact",
      description =
          "exact drops documents whose text occurred before, none keeps them. Default: the"
              + " setting dedup.")
  private @Nullable String dedup;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The settings. Default: conf/prepare.yaml of the installation.")
  private @Nullable Path config;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Overrides one setting, such as reject_limit=0. May be repeated.")
  private List<String> settings = new ArrayList<>();

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "The number of threads. It does not change the output. Default: all cores.")
  private int numThreads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--engine",
      paramLabel = "local|mapreduce",
      description =
          "local runs in this process, mapreduce runs as jobs on the Hadoop cluster of"
              + " HADOOP_CONF_DIR. Default: local.")
  private String engine = LOCAL;

  @Option(
      names = "--hadoop",
      paramLabel = "KEY=VALUE",
      description =
          "Sets a Hadoop property of the jobs, such as mapreduce.job.priority=LOW. May be repeated."
              + " File systems are configured in HADOOP_CONF_DIR.")
  private Map<String, String> properties = Map.of();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (numThreads < 1) {
      throw new ConfigException(
          "--threads",
          "at least 1",
          String.valueOf(numThreads),
          "omit the option to use all cores");
    }
    requireEngine();
    PrepareSettings resolved =
        ConfigLoader.load(configFile(), overrides()).bind(PrepareSettings.class);
    Selection selection = new Selection(include, exclude);
    Tokenizers.file(tokenizer).ifPresent(PrepareCommand::logRule);
    try (Tokenizer opened = Tokenizers.of(tokenizer)) {
      PrepareSettings complete =
          tokens == null ? resolved : resolved.withTokens(tokens.files(opened));
      PrepareRequest request = new PrepareRequest(inputs, output, complete, numThreads, selection);
      Optional<PrepareSummary> summary =
          engine.equals(LOCAL) ? Preparation.run(request, opened) : onCluster(request, opened);
      summary.ifPresentOrElse(
          this::print, () -> out().println(output + " is already finished: nothing to do"));
    }
    return 0;
  }

  private static void logRule(Path file) {
    LOG.info("{}: a document {}; shards never contain BOS", file, BosRule.of(file).inWords());
  }

  private List<String> overrides() {
    List<String> overrides = new ArrayList<>(settings);
    if (dedup != null) {
      overrides.add("dedup=" + dedup);
    }
    if (textColumn != null) {
      overrides.add("text_column='" + textColumn.replace("'", "''") + "'"); // quoted as in YAML
    }
    return overrides;
  }

  private void requireEngine() {
    if (!engine.equals(LOCAL) && !engine.equals(MAPREDUCE)) {
      throw new ConfigException(
          "--engine", "local or mapreduce", engine, "omit the option to run in this process");
    }
    if (engine.equals(LOCAL) && !properties.isEmpty()) {
      throw new ConfigException(
          "--hadoop",
          "--engine mapreduce, because the properties configure its jobs",
          "--engine local",
          "add --engine mapreduce, or omit --hadoop");
    }
    if (tokens != null && !engine.equals(LOCAL)) {
      throw new ConfigException(
          "--tokens",
          "--engine local, because copying ids needs no cluster",
          "--engine " + engine,
          "omit --engine");
    }
  }

  /** Only this method names classes of MapReduce, so a local run loads no Hadoop classes. */
  private Optional<PrepareSummary> onCluster(PrepareRequest request, Tokenizer opened)
      throws IOException {
    Storage.requireHadoop("--engine mapreduce");
    Path own = configFile().resolveSibling(DIVISION);
    MapReduceSettings division =
        ConfigLoader.load(Files.exists(own) ? own : installed(DIVISION), List.of())
            .bind(MapReduceSettings.class);
    return MapReducePreparation.run(
        new JobRequest(
            request,
            division,
            Tokenizers.file(tokenizer).map(Path::toString).orElse(tokenizer),
            properties),
        opened);
  }

  private Path configFile() {
    return config == null ? installed("prepare.yaml") : config;
  }

  private static Path installed(String file) {
    String home = System.getProperty("lengthwise.home");
    if (home == null) {
      throw new ConfigException(
          "--config",
          "a settings file, because the folder of the installation is not known",
          "no %s, and no system property lengthwise.home".formatted(file),
          "add --config, or start the command with scripts/lengthwise");
    }
    return Path.of(home, "conf", file);
  }

  private void print(PrepareSummary summary) {
    PrintWriter out = out();
    out.printf(
        Locale.ROOT,
        "%s: %s, %s, %.2f bytes per token%n",
        output,
        Count.of(summary.documents(), "document"),
        Count.of(summary.tokens(), "token"),
        summary.bytesPerToken());
    for (Split split : Split.values()) {
      SplitEntry entry = summary.split(split);
      out.printf(
          Locale.ROOT,
          "  %-10s %,12d documents %,16d tokens%n",
          split.label(),
          entry.documents(),
          entry.tokens());
    }
    out.printf(
        Locale.ROOT,
        "  %s rejected, %s skipped, %s dropped%n",
        Count.of(summary.tally().rejects(), "record"),
        Count.of(
            summary.tally().skipped(),
            "archive entry without text",
            "archive entries without text"),
        Count.of(summary.tally().duplicates(), "duplicate"));
    out.printf(
        Locale.ROOT,
        "  %.1f MB of text in %.1f s, %.1f MB/s%n",
        summary.tally().textBytes() / 1e6,
        summary.seconds(),
        summary.megabytesPerSecond());
    out.flush();
  }

  private PrintWriter out() {
    return Objects.requireNonNull(spec, "set by picocli").commandLine().getOut();
  }
}
