package org.lengthwise.measure.probe;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.AtomicFile;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.EnumName;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.dataprep.tokenizer.Tokenizers;
import org.lengthwise.error.ConfigException;
import org.lengthwise.measure.CheckpointMeasurement;
import org.lengthwise.measure.Lengths;
import org.lengthwise.measure.LoadedModel;
import org.lengthwise.measure.MeasuredModel;
import org.lengthwise.measure.MeasurementFolder;
import org.lengthwise.measure.probe.Prompts.Needle;
import org.lengthwise.measure.probe.Prompts.Prompt;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.TextState;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.AccuracyResult.Drawn;
import org.lengthwise.result.AccuracyResult.Share;
import org.lengthwise.result.AccuracyResult.Strings;
import org.lengthwise.result.ModelState;
import org.lengthwise.result.ResultFile;
import org.lengthwise.task.DataIdentity;
import org.lengthwise.training.checkpoint.Checkpoint;

/**
 * The zero-shot passkey of language models of one tokenizer. A cell is one model at one length and
 * depth: a line of {@code accuracy.jsonl}, and its lines of {@code prompts.jsonl}.
 */
final class ProbeMeasurement extends CheckpointMeasurement<ProbeMeasurement.Cell> {
  private static final ObjectMapper MAPPER = ConfigLoader.strictMapper();
  private static final String PROMPTS = "prompts";
  private static final String DEPTH = "depth";

  private final Probe config;
  private final Lengths lengths;
  private final @Nullable String dataSha256;
  private final Tokenizer tokenizer;
  private final Prompts prompts;

  ProbeMeasurement(Probe config, List<Checkpoint> checkpoints, ShardSource shards) {
    super(
        checkpoints,
        config.settings(),
        MeasuredModel.ofAll(checkpoints, config.changes()).stream()
            .flatMap(
                model ->
                    model.readable(config.lengths(), t -> t).stream()
                        .flatMap(
                            length ->
                                config.depths().stream()
                                    .map(depth -> new Cell(model, length, depth))))
            .toList());
    boolean isText = config.readsText();
    this.config = config;
    this.lengths =
        config.lengths().among(checkpoints.stream().map(one -> one.origin().length()).toList());
    this.dataSha256 = isText ? DataIdentity.of(shards.folder().manifest()).sha256() : null;
    this.tokenizer = tokenizer(checkpoints);
    TokenStream text = isText ? shards.folder().tokens(Split.TEST) : null;
    this.prompts = new Prompts(tokenizer, text, Collections.max(this.lengths.all()), config.seed());
  }

  private static Tokenizer tokenizer(List<Checkpoint> checkpoints) {
    Checkpoint first = checkpoints.get(0);
    Tokenizer found =
        Tokenizers.of(
            first
                .tokenizerName()
                .orElseThrow(
                    () ->
                        new ConfigException(
                            first.folder().toString(),
                            "a checkpoint with its tokenizer",
                            "none",
                            "copy the tokenizer.json that prepared its training data into it")));
    for (Checkpoint checkpoint : checkpoints) {
      if (!checkpoint.origin().tokenizer().sha256().equals(found.sha256())) {
        found.close();
        throw new ConfigException(
            checkpoint.folder().toString(),
            "a checkpoint with its tokenizer, the same for all checkpoints",
            checkpoint.origin().tokenizer().name(),
            "measure checkpoints of each tokenizer into their own folder");
      }
    }
    return found;
  }

  /**
   * One line of results.
   *
   * @param depth the share of the filler before the needle
   */
  record Cell(MeasuredModel model, int length, double depth) {
    boolean isOf(AccuracyResult result) {
      return result.subject().isSameModel(model.described())
          && result.length() == length
          && result.strings().settings().path(DEPTH).asDouble() == depth;
    }
  }

  /**
   * What decides the numbers, in addition to the checkpoints.
   *
   * @param dataSha256 the checksum of the filler's text; absent for repeated sentences
   */
  private record Description(
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String dataSha256,
      @JsonUnwrapped Probe config) {}

  @Override
  public String name() {
    return "evaluate";
  }

  @Override
  protected Record ownDescription() {
    return new Description(dataSha256, config);
  }

  @Override
  public long tokens(Cell cell) {
    return (long) cell.length() * config.samples();
  }

  @Override
  public Set<Cell> finished(Path folder) throws IOException {
    return finished(ResultFile.ACCURACIES.values(folder), Cell::isOf);
  }

  /**
   * One line of {@code prompts.jsonl}.
   *
   * @param keys the ten keys, the right one first
   * @param nll the sum of -ln p over the tokens of each key, in nats
   * @param control the same where the needle holds none of the ten
   * @param other that of the right key where the needle holds the second key
   * @param greedy the most probable token at each place of the right key
   */
  @SuppressWarnings("ArrayRecordComponent") // Written and never compared.
  private record Line(
      String run,
      long seed,
      int length,
      double depth,
      int index,
      List<String> keys,
      double[] nll,
      double[] control,
      double other,
      long[] greedy) {}

  @Override
  public String measure(Cell cell, Path folder, LongConsumer done) throws IOException {
    LoadedModel loaded = load(cell.model(), ModelState.TRAINED);
    List<Line> lines = new ArrayList<>();
    long exact = 0;
    for (int i = 0; i < config.samples(); i++) {
      Prompt prompt = prompt(cell, i, Needle.RIGHT);
      Scores right = score(loaded, prompt, Prompts.NUM_KEYS);
      Line line =
          new Line(
              cell.model().name(),
              cell.model().described().seed(),
              cell.length(),
              cell.depth(),
              i,
              prompt.keys(),
              right.nll,
              score(loaded, prompt(cell, i, Needle.CONTROL), Prompts.NUM_KEYS).nll,
              score(loaded, prompt(cell, i, Needle.OTHER), 1).nll[0],
              right.greedy);
      exact += Arrays.equals(line.greedy, asLongs(prompt.answers().get(0))) ? 1 : 0;
      lines.add(line);
      done.accept((i + 1L) * cell.length());
    }
    AtomicFile.write(
        MeasurementFolder.part(folder, PROMPTS, cells().indexOf(cell)),
        out -> {
          for (Line line : lines) {
            out.write(MAPPER.writeValueAsBytes(line));
            out.write('\n');
          }
        });
    AccuracyResult result = result(cell, lines, exact);
    ResultFile.ACCURACIES.append(folder, result);
    return "%s at %s, depth %s: choice %s of %s"
        .formatted(
            result.run(),
            cell.length(),
            cell.depth(),
            result.share(0).right(),
            result.strings().count());
  }

  private Prompt prompt(Cell cell, int index, Needle needle) {
    return prompts.at(
        cell.length(),
        cell.depth(),
        index,
        needle,
        cell.model().checkpoint().origin().bos().orElse(null));
  }

  /**
   * Choice: the right key is more probable than nine others. Exact: it is the most probable token
   * at each place. Control: choice although the needle holds another key. The gain is the mean of
   * ln p(right key) with its needle, minus the same with another needle, in nats.
   */
  private AccuracyResult result(Cell cell, List<Line> lines, long exact) {
    int count = lines.size();
    long choice = lines.stream().filter(line -> isChosen(line.nll)).count();
    long control = lines.stream().filter(line -> isChosen(line.control)).count();
    return AccuracyResult.of(
            AccuracyResult.PASSKEY,
            cell.model().described(),
            new Strings(
                EnumName.of(config.filler()),
                JsonNodeFactory.instance.objectNode().put(DEPTH, cell.depth()),
                Drawn.TEST,
                cell.length(),
                count,
                config.seed()),
            new Share("choice", choice, count, 1.0 / Prompts.NUM_KEYS),
            new Share("exact", exact, count),
            new Share("control", control, count, 1.0 / Prompts.NUM_KEYS))
        .with(
            List.of(),
            Map.of(
                "gain",
                lines.stream()
                    .mapToDouble(line -> line.other - line.nll[0])
                    .average()
                    .orElseThrow()));
  }

  /** Whether the first key is the most probable one; a tie is wrong. */
  static boolean isChosen(double[] nll) {
    return Arrays.stream(nll, 1, nll.length).allMatch(other -> nll[0] < other);
  }

  private static long[] asLongs(int[] ids) {
    return Arrays.stream(ids).asLongStream().toArray();
  }

  /** The sums of some answers, and the most probable tokens along the first. */
  @SuppressWarnings("ArrayRecordComponent") // Read once, and never compared.
  private record Scores(double[] nll, long[] greedy) {}

  /** Reads a prompt once for all answers if the model can go back, else once for each. */
  private static Scores score(LoadedModel loaded, Prompt prompt, int numAnswers) {
    LanguageModel model = loaded.model();
    int size = prompt.answers().get(0).length;
    int context = prompt.tokens().length + size; // a full cache would be cut
    double[] nll = new double[numAnswers];
    long[] greedy = new long[0];
    try (NDManager pass = loaded.manager().newSubManager();
        TextState text = model.begin(pass, context)) {
      NDArray first_1d = text.append(prompt.tokens());
      boolean canGoBack = keepsResults(model, prompt.tokens().length, size) && text.cut(0);
      for (int i = 0; i < numAnswers; i++) {
        int[] answer = prompt.answers().get(i);
        try (NDManager one = pass.newSubManager()) {
          NDArray x_Nd =
              canGoBack
                  ? continued(text, first_1d, answer, one)
                  : anew(model, prompt.tokens(), answer, one);
          NDArray targets_N = one.create(asLongs(answer));
          for (float value : model.nll(x_Nd, targets_N).toFloatArray()) {
            nll[i] += value;
          }
          greedy = i == 0 ? model.logits(x_Nd).argMax(1).toLongArray() : greedy;
        }
      }
    }
    return new Scores(nll, greedy);
  }

  /** Whether no token of an answer makes a text so long that it is read again. */
  private static boolean keepsResults(LanguageModel model, int length, int size) {
    return LongStream.range(length, length + size)
        .allMatch(model.config().position().lengths().keepsResults());
  }

  /** The hidden states before each token of an answer, token by token. */
  private static NDArray continued(
      TextState text, NDArray first_1d, int[] answer, NDManager owner) {
    NDList rows = new NDList(first_1d);
    for (int i = 0; i < answer.length - 1; i++) {
      NDArray x_1d = text.append(new int[] {answer[i]});
      x_1d.attach(owner);
      rows.add(x_1d);
    }
    if (!text.cut(answer.length - 1)) {
      throw new IllegalStateException("a text that was read again cannot go back");
    }
    NDArray x_Nd = NDArrays.concat(rows);
    x_Nd.attach(owner);
    return x_Nd;
  }

  /** The same in one pass over prompt and answer. */
  private static NDArray anew(LanguageModel model, int[] prompt, int[] answer, NDManager owner) {
    int[] read = Prompts.join(prompt, Arrays.copyOf(answer, answer.length - 1));
    try (TextState text = model.begin(owner, read.length)) {
      return text.appendAll(read).get(new NDIndex("{}:", prompt.length - 1));
    }
  }

  @Override
  public void summarise(Path folder) throws IOException {
    MeasurementFolder.join(folder, PROMPTS);
  }

  @Override
  public void close() {
    super.close();
    tokenizer.close();
  }
}
