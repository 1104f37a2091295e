package org.lengthwise.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.AtomicFile;
import org.lengthwise.cli.ShardText.Check;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.EnumName;
import org.lengthwise.dataprep.inspect.DocumentSample;
import org.lengthwise.dataprep.inspect.DocumentSample.SampleDocument;
import org.lengthwise.dataprep.inspect.ShardSummary;
import org.lengthwise.dataprep.shard.Manifest;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.source.FileSummary;
import org.lengthwise.dataprep.storage.Storage;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.dataprep.tokenizer.Tokenizers;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.Count;
import org.lengthwise.plot.Picture;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.ModelOrigin;
import org.lengthwise.training.checkpoint.TrainState;
import org.lengthwise.training.interchange.ModelFolder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "inspect",
    sortOptions = false,
    header = "Describes shards, a checkpoint, a run, a text or a scheme.",
    description =
        "Checksums of a checkpoint are always verified. A shard folder may be large: its sizes,"
            + " schemas and counts are always compared with the manifest, its checksums only with"
            + " --verify. The output says which checks ran. Of a file that prepare reads, the format, the"
            + " columns, the counts and the beginning of the first document are shown.",
    footer = {
      "",
      "Example:",
      "  inspect owt2 --verify --plot owt2-plots",
      "  inspect experiment/report --how",
      "  inspect runs/sort --attention '§cba' --plot maps",
      "  inspect fineweb/000_00000.parquet",
      "  inspect --position conf/position/regulargpt-4-2.yaml --length 16 --plot pictures"
    })
public final class InspectCommand implements Callable<Integer> {
  private static final Pattern SHARD = Pattern.compile("(train|validation|test)-\\d{5}\\.arrow");
  private static final int SAMPLE_TOKENS = 60;

  @Parameters(
      arity = "0..1",
      paramLabel = "DIR",
      description =
          "A shard folder (local or on a Hadoop file system), a checkpoint or a run, or a file that"
              + " prepare reads.")
  private String folder = "";

  @Option(names = "--verify", description = "Reads every shard and verifies its SHA-256.")
  private boolean verify;

  @Option(
      names = "--sample",
      defaultValue = "3",
      paramLabel = "N",
      description = "Shows the beginnings of N documents. Default: ${DEFAULT-VALUE}.")
  private int sample;

  @Option(
      names = "--tokenizer",
      paramLabel = "PATH",
      description =
          "The tokenizer.json of the shards, for the shown documents. Not needed for gpt2 and"
              + " bytes. The ids of a token file are read as gpt2's without it.")
  private @Nullable String tokenizer;

  @Option(
      names = "--plot",
      paramLabel = "DIR",
      description =
          "Draws the lengths of the documents into this folder, as SVG and PNG; with --attention the"
              + " weights of each head.")
  private @Nullable Path plot;

  @Option(
      names = "--position",
      paramLabel = "FILE",
      description =
          "Instead of a folder, a file with the section position, such as conf/position/alibi.yaml:"
              + " draws what queries see of keys into the folder of --plot, as SVG.")
  private @Nullable Path position;

  @Option(
      names = "--length",
      defaultValue = "16",
      paramLabel = "N",
      description = "The tokens of that picture, 2 to 64. Default: ${DEFAULT-VALUE}.")
  private int length;

  @Option(
      names = "--attention",
      paramLabel = "TEXT",
      description =
          "Runs a checkpoint's model on this text. --plot DIR writes the weights of each head, as SVG,"
              + " PNG and CSV. A model of strings reads ids with blanks between them; one of the"
              + " task rasp reads characters, such as '§cba', and each head of the program is shown"
              + " beside it, with the share of attention on the positions that the program"
              + " selects.")
  private @Nullable String attention;

  @Option(
      names = "--how",
      description =
          "Prints the commands that make the folder again, from prepare on, ready to paste into a"
              + " shell. Also for results, experiments and reports.")
  private boolean how;

  @Option(names = "--json", description = "Prints JSON instead of text.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** What is described. */
  @SuppressWarnings("ImmutableEnumChecker") // a list that never changes
  private enum Subject {
    SCHEME("--position", "--length", "--plot"),
    FILE("--tokenizer", "--json"),
    RECIPE("--how"),
    ATTENTION("--attention", "--tokenizer", "--plot", "--json"),
    SHARDS("--verify", "--sample", "--tokenizer", "--plot", "--json"),
    CHECKPOINT("--verify", "--json");

    private final List<String> options;

    Subject(String... options) {
      this.options = List.of(options);
    }

    void requireReads(String option) {
      if (!options.contains(option)) {
        throw new ConfigException(
            option,
            "one of %s for %s".formatted(String.join(", ", options), EnumName.of(this)),
            option,
            "leave the option out");
      }
    }
  }

  /** The description of a checkpoint that {@code --json} prints. */
  private record CheckpointContent(
      String folder,
      Check checked,
      ModelOrigin run,
      TrainState state,
      Map<String, List<Double>> biasRanges) {}

  @Override
  public Integer call() throws IOException {
    if (sample < 0) {
      throw new ConfigException(
          "--sample", "0 documents or more", String.valueOf(sample), "use 0 for no sample");
    }
    Subject subject = subject();
    spec.commandLine().getParseResult().matchedOptions().stream()
        .map(option -> option.longestName())
        .forEach(subject::requireReads);
    switch (subject) {
      case SCHEME -> position(Objects.requireNonNull(position));
      case FILE -> file();
      case RECIPE -> how();
      case ATTENTION ->
          new AttentionText(ModelFolder.open(Storage.localPath(folder)), tokenizer)
              .print(Objects.requireNonNull(attention), plot, json, out());
      case SHARDS -> shards();
      case CHECKPOINT -> checkpoint();
    }
    return 0;
  }

  private Subject subject() throws IOException {
    if (position != null) {
      return Subject.SCHEME;
    }
    if (isFile()) {
      return Subject.FILE;
    }
    requireFolder();
    if (how) {
      return Subject.RECIPE;
    }
    if (attention != null) {
      return Subject.ATTENTION;
    }
    return holdsShards() ? Subject.SHARDS : Subject.CHECKPOINT;
  }

  private void position(Path file) throws IOException {
    if (plot == null || !folder.isEmpty() || length < 2 || length > 64) {
      throw new ConfigException(
          "--position",
          "--plot DIR, a --length from 2 to 64, and no folder",
          plot == null ? "no --plot" : folder.isEmpty() ? "--length " + length : folder,
          "such as --position conf/position/alibi.yaml --length 16 --plot pictures");
    }
    PositionalScheme scheme =
        ConfigLoader.load(file, List.of()).bind("position", PositionalScheme.class);
    Files.createDirectories(plot);
    String name = file.getFileName().toString().replaceFirst("\\.ya?ml$", "");
    Path picture = plot.resolve(name + ".svg");
    byte[] svg = PositionPicture.svg(scheme, length).getBytes(StandardCharsets.UTF_8);
    AtomicFile.write(picture, written -> written.write(svg));
    out().println(picture);
  }

  private void how() throws IOException {
    if (Storage.isRemote(folder)) {
      throw new ConfigException("--how", "a local folder", folder, "copy the folder first");
    }
    Path launcher = Path.of(System.getProperty("lengthwise.launcher", "scripts/lengthwise"));
    String absolute = launcher.toAbsolutePath().normalize().toString();
    new Recipe(Storage.localPath(folder)).script(absolute).forEach(out()::println);
  }

  private boolean isFile() {
    return !Storage.isRemote(folder) && Files.isRegularFile(Storage.localPath(folder));
  }

  private void file() throws IOException {
    try (Tokenizer opened = Tokenizers.of(tokenizer == null ? "gpt2" : tokenizer)) {
      print(
          FileSummary.of(folder, opened),
          summary -> {
            out().println(summary.file());
            summary.facts().forEach(this::printFact);
            out().println(summary.beginning().indent(2).stripTrailing());
          });
    }
  }

  private void printFact(String name, Object fact) {
    if (fact instanceof Number number) {
      out().printf("  %-16s %s%n", name, Count.of(number.longValue()));
    } else {
      out().printf("  %-16s %s%n", name, fact);
    }
  }

  private void requireFolder() {
    if (folder.isEmpty()) {
      throw new ConfigException("DIR", "a folder or a file", "none", "or name --position FILE");
    }
    if (!Storage.isRemote(folder) && !Files.isDirectory(Storage.localPath(folder))) {
      throw new ConfigException(
          folder,
          "a shard folder, a checkpoint, a run, or a model in Hugging Face's layout",
          "no such folder",
          "check the path");
    }
  }

  /** Whether the folder holds shards, finished or not. */
  private boolean holdsShards() throws IOException {
    if (Storage.isRemote(folder)) {
      return true; // only shards are read from a remote file system
    }
    try (Stream<Path> entries = Files.list(Storage.localPath(folder))) {
      return entries
          .map(entry -> entry.getFileName().toString())
          .anyMatch(name -> name.equals(Manifest.FILE) || SHARD.matcher(name).matches());
    }
  }

  private void shards() throws IOException {
    try (ShardFolder shards = ShardFolder.open(folder)) {
      if (verify) {
        shards.verifyChecksums();
      }
      ShardText.Content content = content(shards);
      print(content, new ShardText(out())::print);
      if (plot != null) {
        plot(content.summary(), plot);
      }
    }
  }

  private ShardText.Content content(ShardFolder shards) {
    String name = shards.manifest().tokenizer().name();
    boolean known = tokenizer != null || Tokenizers.isBuiltIn(name);
    return new ShardText.Content(
        folder,
        verify ? Check.CHECKSUMS : Check.FOOTERS,
        ShardSummary.of(shards),
        known && sample > 0 ? sample(shards, tokenizer == null ? name : tokenizer) : List.of(),
        known ? null : "the tokenizer is %s; give its file with --tokenizer".formatted(name),
        shards.manifest());
  }

  private List<SampleDocument> sample(ShardFolder shards, String specification) {
    try (Tokenizer opened = Tokenizers.of(specification)) {
      return new DocumentSample(sample, SAMPLE_TOKENS).read(shards, opened);
    }
  }

  private void plot(ShardSummary summary, Path where) throws IOException {
    if (summary.documents() > 0) {
      List<Path> files = new Picture(DocumentLengths.chart(summary.lengths())).write(where);
      if (!json) {
        files.forEach(out()::println);
      }
    }
  }

  private void checkpoint() throws IOException {
    Checkpoint opened = ModelFolder.open(Storage.localPath(folder));
    CheckpointContent content =
        new CheckpointContent(
            opened.folder().toString(),
            Check.CHECKSUMS,
            opened.origin(),
            opened.state(),
            opened.biasRanges());
    print(content, found -> new CheckpointText(out()).print(opened, found.biasRanges()));
  }

  private <T> void print(T content, Consumer<T> asText) throws IOException {
    if (json) {
      out().println(ConfigLoader.strictMapper().writeValueAsString(content));
    } else {
      asText.accept(content);
    }
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
