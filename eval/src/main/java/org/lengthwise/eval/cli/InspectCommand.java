package org.lengthwise.eval.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.dataprep.inspect.Check;
import org.lengthwise.dataprep.inspect.DocumentSample;
import org.lengthwise.dataprep.inspect.SampleDocument;
import org.lengthwise.dataprep.inspect.ShardSummary;
import org.lengthwise.dataprep.shard.Manifest;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.storage.Storage;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.dataprep.tokenizer.Tokenizers;
import org.lengthwise.eval.report.LengthPlot;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.ModelOrigin;
import org.lengthwise.training.checkpoint.RunFolder;
import org.lengthwise.training.checkpoint.TrainState;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lengthwise inspect}: what a folder holds, and whether it is what was written. */
@Command(
    name = "inspect",
    sortOptions = false,
    description = {
      "Says what a shard folder, a checkpoint or a run holds. The checksums of a checkpoint are",
      "always verified. Of a shard folder, which may be large, sizes, schemas and counts are",
      "always compared with the manifest, and checksums with --verify; the answer says which."
    },
    footer = {"", "Example:", "  inspect owt2 --verify --plot owt2-plots"})
public final class InspectCommand implements Callable<Integer> {
  private static final Pattern SHARD = Pattern.compile("(train|validation|test)-\\d{5}\\.arrow");

  /** The tokenizers that need no file. */
  private static final Set<String> BUILT_IN = Set.of("gpt2", "bytes");

  /** How much of a document a sample shows. */
  private static final int SAMPLE_TOKENS = 60;

  @Parameters(
      paramLabel = "DIR",
      description = "A shard folder, local or on any Hadoop file system, a checkpoint or a run.")
  private String folder = "";

  @Option(names = "--verify", description = "Reads every shard in full and checks its SHA-256.")
  private boolean verify;

  @Option(
      names = "--sample",
      defaultValue = "3",
      paramLabel = "N",
      description = "How many documents' beginnings are shown (default: ${DEFAULT-VALUE}).")
  private int sample;

  @Option(
      names = "--tokenizer",
      paramLabel = "PATH",
      description =
          "The shards' tokenizer.json, for the sample, if they are of neither gpt2 nor bytes.")
  private @Nullable String tokenizer;

  @Option(
      names = "--plot",
      paramLabel = "DIR",
      description = "Also draws the documents' lengths there, as SVG and PNG.")
  private @Nullable Path plot;

  @Option(names = "--json", description = "Prints one JSON object instead of text.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** A command to be filled in from the command line. */
  public InspectCommand() {}

  /**
   * What {@code --json} prints of a checkpoint.
   *
   * @param folder where it lies
   * @param checked how far it was verified
   * @param run where its model comes from
   * @param state how far it had come
   */
  private record CheckpointContent(
      String folder, Check checked, ModelOrigin run, TrainState state) {}

  @Override
  public Integer call() throws IOException {
    requireFolder();
    if (sample < 0) {
      throw new ConfigException(
          "--sample", "0 documents or more", String.valueOf(sample), "use 0 for no sample");
    }
    if (holdsShards()) {
      shards();
    } else {
      checkpoint();
    }
    return 0;
  }

  private void requireFolder() {
    if (!Storage.isRemote(folder) && !Files.isDirectory(Storage.localPath(folder))) {
      throw new ConfigException(
          folder,
          "a shard folder, a checkpoint or a run",
          Files.exists(Storage.localPath(folder)) ? "a file" : "no such folder",
          "check the path");
    }
  }

  /** Whether the folder is one of shards, finished or not. */
  private boolean holdsShards() throws IOException {
    if (Storage.isRemote(folder)) {
      return true; // nothing else is read from there
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
      ShardContent content = content(shards);
      print(content, new ShardText(out())::print);
      if (plot != null) {
        plot(content.summary(), plot);
      }
    }
  }

  private ShardContent content(ShardFolder shards) {
    String name = shards.manifest().tokenizer().name();
    boolean known = tokenizer != null || BUILT_IN.contains(name);
    return new ShardContent(
        folder,
        verify ? Check.CHECKSUMS : Check.FOOTERS,
        ShardSummary.of(shards),
        known && sample > 0 ? sample(shards, tokenizer == null ? name : tokenizer) : List.of(),
        known ? null : "the tokens are of %s; name that file with --tokenizer".formatted(name),
        shards.manifest());
  }

  private List<SampleDocument> sample(ShardFolder shards, String specification) {
    try (Tokenizer opened = Tokenizers.of(specification)) {
      return new DocumentSample(sample, SAMPLE_TOKENS).read(shards, opened);
    }
  }

  private void plot(ShardSummary summary, Path where) throws IOException {
    if (summary.documents() > 0) {
      List<Path> files = LengthPlot.write(summary.lengths(), where);
      if (!json) {
        files.forEach(out()::println);
      }
    }
  }

  private void checkpoint() throws IOException {
    if (plot != null || tokenizer != null) {
      throw new ConfigException(
          plot != null ? "--plot" : "--tokenizer",
          "a shard folder to go with it",
          folder + ", which is none",
          "leave the option out");
    }
    Checkpoint opened = RunFolder.resolve(Storage.localPath(folder));
    CheckpointContent content =
        new CheckpointContent(
            opened.folder().toString(), Check.CHECKSUMS, opened.origin(), opened.state());
    print(content, ignored -> new CheckpointText(out()).print(opened));
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
