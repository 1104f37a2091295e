package org.lengthwise.task;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.kernel.EngineMemory;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.task.Task.Batch;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.config.TrainingConfig;

/**
 * Predicts each next token of a text. A sample is a window of T + 1 tokens of a split. Validation
 * measures the negative log-likelihood in nats.
 */
public final class LanguageModelling implements Task {
  private final DataIdentity data;
  private final Windows train;
  private final WindowOrder order;
  private final Windows validation;
  private final int numValidationSamples;
  private final boolean readsApart;
  private final Optional<Integer> bos;
  private final Optional<WindowStreams> streams;

  public LanguageModelling(
      DataIdentity data, TokenStream train, TokenStream validation, TrainingConfig config) {
    int length = config.training().length();
    this.data = data;
    this.readsApart = config.training().documents() == LoopConfig.Documents.WITHIN;
    this.train = new Windows(train, length, "train");
    RandomStreams random = new RandomStreams(config.seed());
    this.order = new WindowOrder(this.train.numWindows(), random);
    this.streams =
        config.training().states() == LoopConfig.States.CARRIED
            ? Optional.of(
                WindowStreams.of(this.train.numWindows(), config.training().batch(), random))
            : Optional.empty();
    this.validation = new Windows(validation, length, "validation");
    this.numValidationSamples =
        (int) Math.min(config.training().validation().sequences(), this.validation.numWindows());
    this.bos = Optional.empty();
  }

  private LanguageModelling(LanguageModelling other, int bos) {
    this.data = other.data;
    this.readsApart = other.readsApart;
    this.train = other.train;
    this.order = other.order;
    this.validation = other.validation;
    this.numValidationSamples = other.numValidationSamples;
    this.streams = Optional.empty(); // the configuration refuses carried states after BOS
    this.bos = Optional.of(bos);
  }

  static LanguageModelling of(ShardFolder shards, TrainingConfig config) {
    return new LanguageModelling(
        DataIdentity.of(shards.manifest()),
        shards.tokens(Split.TRAIN),
        shards.tokens(Split.VALIDATION),
        config);
  }

  @Override
  public Task beginningWith(int id) {
    return new LanguageModelling(this, id);
  }

  @Override
  public DataIdentity data() {
    return data;
  }

  @Override
  public int vocabulary() {
    return data.tokenizer().vocabularySize();
  }

  @Override
  public OptionalLong samplesPerEpoch() {
    return OptionalLong.of(streams.map(WindowStreams::used).orElse(train.numWindows()));
  }

  @Override
  public Samples training(long first, int count) {
    if (streams.isEmpty()) {
      return apart(train.read(count, b -> order.window(first + b)));
    }
    LongUnaryOperator window = b -> streams.get().window(first + b);
    int[] before =
        IntStream.range(0, count).map(b -> begins(window.applyAsLong(b)) ? -1 : b).toArray();
    return apart(train.read(count, window).continuing(before));
  }

  /** Whether nothing that comes before a window belongs to it. */
  private boolean begins(long window) {
    return window == 0 || (readsApart && train.tokenBefore(window) == data.tokenizer().endOfText());
  }

  @Override
  public int numValidationSamples() {
    return numValidationSamples;
  }

  @Override
  public Samples validation(int first, int count) {
    return apart(
        validation.read(count, b -> (first + b) * validation.numWindows() / numValidationSamples));
  }

  private Samples apart(Samples read) {
    Samples samples = bos.map(read::beginningWith).orElse(read);
    return readsApart ? samples.within(data.tokenizer().endOfText(), bos) : samples;
  }

  @Override
  public NDArray loss(LanguageModel model, Batch batch) {
    if (batch.documents().isEmpty()) {
      return model.carrying(batch.states()).loss(batch.tokens_BT(), batch.targets());
    }
    long all = batch.documents().stream().mapToLong(rows -> rows.targets_N().size()).sum();
    NDManager pass = batch.tokens_BT().getManager();
    return batch.documents().stream()
        .map(
            rows ->
                model
                    .carrying(rows.states())
                    .loss(rows.tokens_BT(), rows.places_N(), rows.targets_N())
                    .mul(EngineMemory.scalar(pass, (float) rows.targets_N().size() / all)))
        .reduce(NDArray::add)
        .orElseThrow();
  }

  @Override
  public String metric() {
    return "nll";
  }

  @Override
  public Score score(LanguageModel model, Batch batch) {
    if (!batch.documents().isEmpty()) {
      return batch.documents().stream()
          .map(
              rows ->
                  score(
                      model,
                      hidden(model, rows.tokens_BT()).get(rows.places_N()),
                      rows.targets_N()))
          .reduce(Score.NONE, Score::plus);
    }
    return score(model, hidden(model, batch.tokens_BT()), batch.targets().reshape(-1));
  }

  private static NDArray hidden(LanguageModel model, NDArray tokens_BT) {
    return model.hidden(model.embed(tokens_BT)).reshape(-1, model.config().width());
  }

  private static Score score(LanguageModel model, NDArray x_Nd, NDArray targets_N) {
    double sum = 0;
    for (float nll : model.nll(x_Nd, targets_N).toFloatArray()) {
      sum += nll;
    }
    return new Score(sum, targets_N.size());
  }
}
