package org.lengthwise.dataprep.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.dataprep.mapreduce.JobRequest;
import org.lengthwise.dataprep.mapreduce.MapReducePreparation;
import org.lengthwise.dataprep.mapreduce.MapReduceSettings;
import org.lengthwise.dataprep.prepare.Preparation;
import org.lengthwise.dataprep.prepare.PrepareRequest;
import org.lengthwise.dataprep.prepare.PrepareSettings;
import org.lengthwise.dataprep.prepare.PrepareSummary;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.SplitEntry;
import org.lengthwise.dataprep.storage.Storage;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.dataprep.tokenizer.Tokenizers;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code prepare}: raw text to token shards. */
@Command(
    name = "prepare",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Turns raw text into token shards that the other commands read.",
    footer = {
      "",
      "Inputs are known by their extension: .jsonl .jsonl.zst .jsonl.gz .txt .tar",
      ".tar.zst .tar.gz .tgz .zip .jar, and folders of these. A JSON record holds its",
      "document under \"text\".",
      "",
      "Example:",
      "  prepare --input openwebtext2.tar --output owt2 --tokenizer gpt2"
    })
public final class PrepareCommand implements Callable<Integer> {

  private static final String LOCAL = "local";
  private static final String MAPREDUCE = "mapreduce";

  @Option(
      names = "--input",
      required = true,
      split = ",",
      paramLabel = "URI",
      description = "Files and folders, local or on any Hadoop file system; may be repeated.")
  private List<String> inputs = new ArrayList<>();

  @Option(
      names = "--output",
      required = true,
      paramLabel = "URI",
      description =
          "The folder to make. A finished one is not made again, an unfinished one is gone on with.")
  private String output = "";

  @Option(
      names = "--tokenizer",
      required = true,
      paramLabel = "gpt2|bytes|PATH",
      description = "A built-in tokenizer, or the path of a Hugging Face tokenizer.json.")
  private String tokenizer = "";

  @Option(
      names = "--dedup",
      paramLabel = "none|exact",
      description =
          "Whether documents that repeat an earlier one's text are left out; as the settings say"
              + " when not given.")
  private @Nullable String dedup;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Settings; conf/prepare.yaml of the installation when not given.")
  private @Nullable Path config;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Overrides one setting, such as reject_limit=0; may be repeated.")
  private List<String> settings = new ArrayList<>();

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Tokenising threads; all cores when not given. Never changes the output.")
  private int numThreads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--engine",
      paramLabel = "local|mapreduce",
      description =
          "What does the work: this process, or a job on the Hadoop cluster that HADOOP_CONF_DIR"
              + " names. Default: local.")
  private String engine = LOCAL;

  @Option(
      names = "--hadoop",
      paramLabel = "KEY=VALUE",
      description =
          "A Hadoop property for the jobs, such as mapreduce.job.queuename=research; may be"
              + " repeated. File systems are configured in HADOOP_CONF_DIR.")
  private Map<String, String> properties = Map.of();

  @Spec private @Nullable CommandSpec spec;

  /** Made by picocli, which fills the options in. */
  public PrepareCommand() {}

  @Override
  public Integer call() throws IOException {
    if (numThreads < 1) {
      throw new ConfigException(
          "--threads", "at least 1", String.valueOf(numThreads), "leave it out to use all cores");
    }
    requireEngine();
    PrepareSettings resolved =
        ConfigLoader.load(configFile(), overrides()).bind(PrepareSettings.class);
    PrepareRequest request = new PrepareRequest(inputs, output, resolved, numThreads);
    try (Tokenizer opened = Tokenizers.of(tokenizer)) {
      Optional<PrepareSummary> summary =
          engine.equals(LOCAL) ? Preparation.run(request, opened) : onCluster(request, opened);
      summary.ifPresentOrElse(
          this::print, () -> out().println(output + " is finished already; nothing was done"));
    }
    return 0;
  }

  /** The settings given one by one; an option of its own is a setting too. */
  private List<String> overrides() {
    List<String> overrides = new ArrayList<>(settings);
    if (dedup != null) {
      overrides.add("dedup=" + dedup);
    }
    return overrides;
  }

  private void requireEngine() {
    if (!engine.equals(LOCAL) && !engine.equals(MAPREDUCE)) {
      throw new ConfigException(
          "--engine", "local or mapreduce", engine, "leave it out to work in this process");
    }
    if (engine.equals(LOCAL) && !properties.isEmpty()) {
      throw new ConfigException(
          "--hadoop",
          "a job that the properties are for",
          "--engine local",
          "add --engine mapreduce, or leave --hadoop out");
    }
  }

  /** The only place that names the engine's classes, so local work loads none of Hadoop's. */
  private Optional<PrepareSummary> onCluster(PrepareRequest request, Tokenizer opened)
      throws IOException {
    Storage.requireHadoop("--engine mapreduce");
    MapReduceSettings division =
        ConfigLoader.load(configFile().resolveSibling("mapreduce.yaml"), List.of())
            .bind(MapReduceSettings.class);
    return MapReducePreparation.run(
        new JobRequest(request, division, tokenizer, properties), opened);
  }

  private Path configFile() {
    if (config != null) {
      return config;
    }
    String home = System.getProperty("lengthwise.home");
    if (home == null) {
      throw new ConfigException(
          "--config",
          "a settings file, as the installation's folder is not known",
          "no such option and no system property lengthwise.home",
          "give --config, or start the command with scripts/lengthwise");
    }
    return Path.of(home, "conf", "prepare.yaml");
  }

  private void print(PrepareSummary summary) {
    PrintWriter out = out();
    out.printf(
        Locale.ROOT,
        "%s: %,d documents, %,d tokens, %.2f bytes per token%n",
        output,
        summary.documents(),
        summary.tokens(),
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
        "  %,d records set aside, %,d archive entries passed over as binary or empty, %,d duplicates"
            + " left out%n",
        summary.rejects(),
        summary.passedOver(),
        summary.duplicates());
    out.printf(
        Locale.ROOT,
        "  %.1f MB of text in %.1f s, %.1f MB/s%n",
        summary.textBytes() / 1e6,
        summary.seconds(),
        summary.megabytesPerSecond());
    out.flush();
  }

  private PrintWriter out() {
    return Objects.requireNonNull(spec, "set by picocli").commandLine().getOut();
  }
}
