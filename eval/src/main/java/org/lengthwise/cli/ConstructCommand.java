package org.lengthwise.cli;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.artifact.Sha256;
import org.lengthwise.config.Checks;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.dataprep.tokenizer.BytesTokenizer;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.Count;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.input.TextFile;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.ngram.NGramDecoder;
import org.lengthwise.ngram.NGramSizes;
import org.lengthwise.ngram.NGramTable;
import org.lengthwise.ngram.NGramTable.Smoothing;
import org.lengthwise.ngram.SuffixOrder;
import org.lengthwise.ngram.TheoremTransformer.Theorem;
import org.lengthwise.progress.Progress;
import org.lengthwise.progress.ProgressReporter;
import org.lengthwise.task.DataIdentity;
import org.lengthwise.training.checkpoint.CheckpointFolder;
import org.lengthwise.training.checkpoint.ImportedModel;
import org.lengthwise.training.checkpoint.ModelOrigin;
import org.lengthwise.training.checkpoint.TrainState;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "construct",
    sortOptions = false,
    header = "Writes an n-gram model as a checkpoint.",
    description =
        "The weights are computed from counts, not trained. At any length the model predicts what"
            + " the n-gram model predicts, up to rounding, and all commands that measure"
            + " checkpoints accept it. docs/explanation/constructed-models.md explains the weights"
            + " and their limits.",
    footer = {
      "",
      "Example:",
      "  construct --order 3 --data owt2-bytes --output models/trigram",
      "  construct --order 3 --text texts.txt --smoothing none --output models/small",
      "  construct --order 3 --text texts.txt --theorem sparse"
    })
public final class ConstructCommand implements Callable<Integer> {
  private static final List<String> OF_CHECKPOINTS = List.of("--variant", "--smoothing", "--name");

  @Option(
      names = "--order",
      required = true,
      paramLabel = "N",
      description = "The order n: a prediction depends on the last n - 1 tokens; 2 to 17.")
  private int order;

  @ArgGroup(multiplicity = "1")
  private Source source = new Source();

  @Option(
      names = "--variant",
      defaultValue = "heads",
      paramLabel = "NAME",
      description =
          "How the last tokens reach a position: heads (one head for each in one block) or layers"
              + " (one head in each block). Default: ${DEFAULT-VALUE}.")
  private NGramDecoder.Variant variant = NGramDecoder.Variant.HEADS;

  @Option(
      names = "--smoothing",
      defaultValue = "kneser-ney",
      paramLabel = "NAME",
      description =
          "kneser-ney, the model of evaluate --baseline, or none for relative frequencies, which do"
              + " not continue beyond an end of text. Default: ${DEFAULT-VALUE}.")
  private Smoothing smoothing = Smoothing.KNESER_NEY;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "The name of the model in results. Default: n-gram-N-VARIANT.")
  private @Nullable String name;

  @ArgGroup(multiplicity = "1")
  private Target target = new Target();

  @Spec private CommandSpec spec = CommandSpec.create();

  private static final class Source {
    @Option(
        names = "--data",
        required = true,
        paramLabel = "URI",
        description = "A shard folder. Its training split is counted.")
    private @Nullable String data;

    @Option(
        names = "--text",
        required = true,
        paramLabel = "FILE",
        description =
            "A file in UTF-8. Each line is one text, read as bytes. An empty line is an empty"
                + " text. The last line needs a newline only if it is empty.")
    private @Nullable Path text;
  }

  private static final class Target {
    @Option(
        names = "--output",
        required = true,
        paramLabel = "DIR",
        description = "The folder of the checkpoint, new or empty.")
    private Path output = Path.of("");

    @Option(
        names = "--theorem",
        required = true,
        paramLabel = "NAME",
        description =
            "Writes nothing. Runs the texts through the construction of a theorem of Svete and"
                + " Cotterell (2024) in float64, without LayerNorm, and compares it with their"
                + " relative frequencies: heads (3.1) and layers (3.2) with hard attention, single"
                + " (3.3: one head in one layer), or sparse (4.1: sparsemax). Each character is a"
                + " symbol.")
    private @Nullable Theorem theorem;
  }

  /** A stream with an end of text before the first text, as between two texts. */
  private record AfterBoundary(int endOfText, TokenStream texts) implements TokenStream {
    @Override
    public long numTokens() {
      return 1 + texts.numTokens();
    }

    @Override
    public void read(long offset, int[] destination, int from, int count) {
      int numBefore = offset == 0 && count > 0 ? 1 : 0;
      Arrays.fill(destination, from, from + numBefore, endOfText);
      texts.read(Math.max(0, offset - 1), destination, from + numBefore, count - numBefore);
    }
  }

  @Override
  public Integer call() throws IOException {
    try {
      if (target.theorem == null) {
        construct();
      } else {
        Checks.require(source.text != null, "theorem", "--text FILE", "--data");
        for (String option : OF_CHECKPOINTS) {
          boolean isGiven = spec.commandLine().getParseResult().hasMatchedOption(option);
          Checks.require(!isGiven, "theorem", "no " + option, option);
        }
        new TheoremText(target.theorem, order)
            .print(Objects.requireNonNull(source.text), spec.commandLine().getOut());
      }
    } catch (InvalidValueException e) {
      throw e.ofOption();
    }
    return 0;
  }

  private String modelName() {
    return name == null ? "n-gram-%s-%s".formatted(order, variant) : name;
  }

  private void construct() throws IOException {
    NGramDecoder.requireOrder(order);
    Checks.name("name", modelName());
    ArtifactFolder.requireFree(target.output);
    if (source.data != null) {
      try (ShardFolder shards = ShardFolder.open(source.data)) {
        DataIdentity identity = DataIdentity.of(shards.manifest());
        countAndWrite(
            shards.tokens(Split.TRAIN), identity.tokenizer(), Map.of("shards", identity.sha256()));
      }
      return;
    }
    Path file = Objects.requireNonNull(source.text);
    try (Tokenizer bytes = new BytesTokenizer()) {
      int end = bytes.endOfText();
      int[] ids =
          TextFile.read(file)
              .lines()
              .flatMapToInt(
                  line -> IntStream.concat(Arrays.stream(bytes.encode(line)), IntStream.of(end)))
              .toArray();
      spec.commandLine()
          .getOut()
          .println(Count.of(Arrays.stream(ids).filter(id -> id == end).count(), "text"));
      countAndWrite(
          TokenStream.of(ids),
          new TokenizerIdentity(
              bytes.name(), bytes.sha256(), bytes.vocabularySize(), bytes.endOfText()),
          Map.of(String.valueOf(file.getFileName()), Sha256.of(file)));
    }
  }

  private void countAndWrite(
      TokenStream stream, TokenizerIdentity tokenizer, Map<String, String> files)
      throws IOException {
    TokenStream counted =
        smoothing == Smoothing.NONE ? new AfterBoundary(tokenizer.endOfText(), stream) : stream;
    if (counted.numTokens() < 2 || counted.numTokens() > Integer.MAX_VALUE) {
      throw new DataFormatException(
          "the counted text",
          "2 to %s tokens".formatted(Count.of(Integer.MAX_VALUE)),
          Count.of(counted.numTokens(), "token"),
          "name another text");
    }
    int vocabulary = tokenizer.vocabularySize();
    int boundary = smoothing == Smoothing.NONE ? tokenizer.endOfText() : NGramTable.NO_BOUNDARY;
    try (BufferAllocator allocator = new RootAllocator();
        SuffixOrder sorted = sort(counted, vocabulary, allocator)) {
      long[] numHistories = NGramTable.numHistories(sorted, order, boundary);
      ModelConfig config = requireFits(vocabulary, numHistories);
      PrintWriter out = spec.commandLine().getOut();
      out.printf(
          "%s histories of at most %s; %s, width %s, %s, vocabulary %s: %s parameters, %s%n",
          Count.of(numHistories[order]),
          Count.of(order - 1, "token"),
          Count.of(config.layers(), "block"),
          config.width(),
          Count.of(config.heads(), "head"),
          vocabulary,
          Count.of(config.numParameters()),
          Count.bytes(Float.BYTES * config.numParameters()));
      out.flush();
      write(new NGramDecoder(table(sorted, vocabulary, boundary), variant), tokenizer, files);
    }
  }

  private SuffixOrder sort(TokenStream stream, int vocabulary, BufferAllocator allocator) {
    long numTokens = stream.numTokens();
    long work = SuffixOrder.numSorted(order, numTokens);
    try (Progress progress = ProgressReporter.start("sorting the text", "tokens", work)) {
      return new SuffixOrder(order, vocabulary, stream, numTokens, allocator, progress::advanceTo);
    }
  }

  private NGramTable table(SuffixOrder sorted, int vocabulary, int boundary) {
    if (smoothing == Smoothing.NONE) {
      return NGramTable.maximumLikelihood(order, vocabulary, sorted, boundary);
    }
    long work = NGramTable.numScanned(sorted, order, vocabulary);
    try (Progress progress = ProgressReporter.start("computing probabilities", "tokens", work)) {
      return NGramTable.kneserNey(order, vocabulary, sorted, progress::advanceTo);
    }
  }

  /** The shape of the model, if the machine can hold it. */
  private ModelConfig requireFits(int vocabulary, long[] numHistories) {
    long memory =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    long heap = Runtime.getRuntime().maxMemory();
    NGramSizes wanted = new NGramSizes(order, vocabulary, numHistories[order], variant);
    if (wanted.fit(memory, heap)) {
      return wanted.config();
    }
    int largest = order - 1;
    while (largest > 1
        && !new NGramSizes(largest, vocabulary, numHistories[largest], variant).fit(memory, heap)) {
      largest--;
    }
    throw new ConfigException(
        "--order " + order,
        "a model that fits into %s of memory, %s of them Java heap, in arrays of at most %s numbers"
            .formatted(Count.bytes(memory), Count.bytes(heap), Count.of(NGramSizes.LARGEST_ARRAY)),
        "%s parameters of %s histories, which need %s and %s, and an array of %s numbers"
            .formatted(
                Count.of(wanted.numParameters()),
                Count.of(numHistories[order]),
                Count.bytes(wanted.bytes()),
                Count.bytes(wanted.heapBytes()),
                Count.of(wanted.numInLargestArray())),
        largest < 2
            ? "no order fits: use tokens of a smaller vocabulary, such as bytes"
            : "the largest order that fits is %s (LENGTHWISE_OPTS=-Xmx4g sets the heap)"
                .formatted(largest));
  }

  private void write(NGramDecoder model, TokenizerIdentity tokenizer, Map<String, String> files)
      throws IOException {
    Map<String, String> settings =
        Map.of(
            "order", String.valueOf(order),
            "variant", variant.toString(),
            "smoothing", smoothing.toString(),
            "gap", String.valueOf(NGramDecoder.GAP),
            "floor", String.valueOf(NGramTable.FLOOR));
    ImportedModel origin =
        new ImportedModel(
            ModelOrigin.FORMAT_VERSION,
            modelName(),
            0,
            model.config(),
            order,
            tokenizer,
            new ImportedModel.Source(ImportedModel.Source.N_GRAM, files, settings),
            null,
            null,
            BuildInfo.current());
    NGramDecoder.Tensors tensors = model.tensors();
    CheckpointFolder.write(
        target.output,
        origin,
        TrainState.initial(0),
        name -> FloatBuffer.wrap(tensors.numbers(name)),
        Optional.empty());
    spec.commandLine().getOut().println(target.output);
  }
}
