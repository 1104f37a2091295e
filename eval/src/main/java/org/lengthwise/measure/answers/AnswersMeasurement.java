package org.lengthwise.measure.answers;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.Count;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.measure.BatchPlan;
import org.lengthwise.measure.CheckpointMeasurement;
import org.lengthwise.measure.Feasibility;
import org.lengthwise.measure.Lengths;
import org.lengthwise.measure.LoadedModel;
import org.lengthwise.measure.MeasuredModel;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.AccuracyResult.Drawn;
import org.lengthwise.result.AccuracyResult.Share;
import org.lengthwise.result.AccuracyResult.Strings;
import org.lengthwise.result.EvaluatedCheckpoint;
import org.lengthwise.result.ModelState;
import org.lengthwise.result.ResultFile;
import org.lengthwise.task.DataIdentity;
import org.lengthwise.training.checkpoint.Checkpoint;

/**
 * The answers of given models to the first documents of each length. A cell is one model at one
 * length of x: a line of {@code accuracy.jsonl}.
 */
final class AnswersMeasurement extends CheckpointMeasurement<AnswersMeasurement.Cell> {
  private final Answers config;
  private final Lengths lengths;
  private final ShardSource source;
  private final ShardFolder shards;
  private final Map<Integer, List<int[]>> documents = new TreeMap<>();

  AnswersMeasurement(Answers config, List<Checkpoint> checkpoints, ShardSource source) {
    super(
        checkpoints,
        config.settings(),
        MeasuredModel.ofAll(checkpoints, List.of(PositionChange.NONE)).stream()
            .flatMap(
                model ->
                    model.readable(config.lengths(), length -> 2 * length + 2).stream()
                        .map(length -> new Cell(model, length)))
            .toList());
    this.config = config;
    this.lengths =
        config.lengths().among(checkpoints.stream().map(one -> one.origin().length()).toList());
    this.source = source;
    this.shards = source.folder();
  }

  /**
   * One line of results.
   *
   * @param length the tokens of x
   */
  record Cell(MeasuredModel model, int length) {}

  /** What decides the numbers, in addition to the checkpoints. */
  private record Description(String dataSha256, Answers config) {}

  @Override
  public String name() {
    return "evaluate";
  }

  @Override
  protected Record ownDescription() {
    return new Description(DataIdentity.of(shards.manifest()).sha256(), config);
  }

  /** Reads the documents, and requires enough of each length. */
  @Override
  public void requireFeasible() throws IOException {
    super.requireFeasible();
    if (config.separator() == shards.manifest().tokenizer().endOfText()) {
      throw new ConfigException(
          "separator",
          "a token that is not the end of text",
          String.valueOf(config.separator()),
          "name the token between x and y");
    }
    lengths.all().forEach(length -> documents.put(length, new ArrayList<>()));
    TokenStream test = shards.tokens(Split.TEST);
    List<Integer> sizes = new ArrayList<>();
    shards.visitLengths(Split.TEST, (numTokens, numBytes) -> sizes.add(numTokens));
    long start = 0;
    for (int size : sizes) {
      int[] document = new int[size];
      test.read(start, document, 0, size);
      start += size;
      List<int[]> found = documents.get(numInQuestion(document));
      if (found != null && found.size() < config.samples()) {
        found.add(document);
      }
    }
    documents.forEach(this::requireEnough);
    for (Cell cell : cells()) {
      int longest =
          ofLength(cell.length()).stream().mapToInt(document -> document.length).max().orElse(0);
      Feasibility.requireReads(
          cell.model().name(), cell.model().model().position(), "documents", longest);
    }
  }

  private List<int[]> ofLength(int length) {
    return documents.getOrDefault(length, List.of());
  }

  /** The tokens before the first separator, or -1 without one. */
  private int numInQuestion(int[] document) {
    for (int i = 0; i < document.length; i++) {
      if (document[i] == config.separator()) {
        return i;
      }
    }
    return -1;
  }

  private void requireEnough(int length, List<int[]> found) {
    if (found.size() < config.samples()) {
      throw new DataFormatException(
          "test split",
          "%s with %s before the separator %s"
              .formatted(
                  Count.of(config.samples(), "document"),
                  Count.of(length, "token"),
                  config.separator()),
          String.valueOf(found.size()),
          "request fewer samples or other lengths, or prepare more documents");
    }
  }

  @Override
  public long tokens(Cell cell) {
    return (2L * cell.length() + 2) * config.samples();
  }

  @Override
  public Set<Cell> finished(Path folder) throws IOException {
    return finished(
        ResultFile.ACCURACIES.values(folder),
        (cell, result) ->
            result.subject().isSameModel(subject(cell))
                && result.strings().length() == cell.length());
  }

  /** The checkpoint; T_tr is the longest x of the training. */
  private EvaluatedCheckpoint subject(Cell cell) {
    EvaluatedCheckpoint model = cell.model().described();
    return new EvaluatedCheckpoint(
        model.run(),
        model.scheme(),
        model.seed(),
        model.path(),
        model.step(),
        config.trainedLength(),
        model.model());
  }

  @Override
  public String measure(Cell cell, Path folder, LongConsumer done) throws IOException {
    LoadedModel loaded = load(cell.model(), ModelState.TRAINED);
    List<int[]> all = new ArrayList<>(ofLength(cell.length()));
    all.sort(Comparator.comparingInt(document -> document.length)); // a batch has one size
    long wrongAnswers = 0;
    long numTokens = 0;
    long wrongTokens = 0;
    int first = 0;
    while (first < all.size()) {
      int size = all.get(first).length;
      int answer = size - cell.length() - 1;
      int most = mostDocuments(loaded, size, answer);
      int end = first;
      while (end < all.size() && end - first < most && all.get(end).length == size) {
        end++;
      }
      for (int wrong : countWrong(loaded, all.subList(first, end), size, answer)) {
        wrongAnswers += wrong > 0 ? 1 : 0;
        numTokens += answer;
        wrongTokens += wrong;
      }
      first = end;
      done.accept(Math.min(tokens(cell), (long) first * size));
    }
    AccuracyResult result =
        AccuracyResult.of(
            AccuracyResult.ANSWERS,
            subject(cell),
            new Strings(
                source(),
                JsonNodeFactory.instance.objectNode(),
                Drawn.TEST,
                cell.length(),
                all.size(),
                null),
            new Share("strings", all.size() - wrongAnswers, all.size()),
            new Share("tokens", numTokens - wrongTokens, numTokens));
    ResultFile.ACCURACIES.append(folder, result);
    return "%s at %s: %s".formatted(result.run(), cell.length(), Count.of(wrongAnswers, "error"));
  }

  /** The name of the first input of the data, such as {@code sort} for {@code sort.jsonl}. */
  private String source() {
    String path = shards.manifest().inputs().get(0).uri();
    return path.substring(path.lastIndexOf('/') + 1).replaceFirst("\\..*", "");
  }

  private int mostDocuments(LoadedModel loaded, int size, int answer) {
    BatchPlan plan = plan(loaded);
    return Math.max(1, Math.min(plan.forwardSequences(size, false), plan.rowsOfLogits() / answer));
  }

  /** The number of wrong tokens of each answer. */
  private int[] countWrong(LoadedModel loaded, List<int[]> batch, int size, int answer) {
    long[] read = new long[batch.size() * size];
    for (int b = 0; b < batch.size(); b++) {
      read[b * size] = shards.manifest().tokenizer().endOfText();
      for (int t = 1; t < size; t++) {
        read[b * size + t] = batch.get(b)[t - 1];
      }
    }
    try (NDManager pass = loaded.manager().newSubManager()) {
      NDArray tokens_BT = pass.create(read, new Shape(batch.size(), size));
      NDArray x_BTd = loaded.model().hidden(loaded.model().embed(tokens_BT));
      NDArray x_Nd =
          x_BTd
              .get(new NDIndex(":, {}:", size - answer))
              .reshape(-1, loaded.model().config().width());
      long[] found = loaded.model().logits(x_Nd).argMax(1).toLongArray();
      int[] wrong = new int[batch.size()];
      for (int i = 0; i < found.length; i++) {
        int[] document = batch.get(i / answer);
        if (found[i] != document[size - answer + i % answer]) {
          wrong[i / answer]++;
        }
      }
      return wrong;
    }
  }

  @Override
  public void close() {
    super.close();
    source.close();
  }
}
