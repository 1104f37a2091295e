package org.lengthwise.task;

import ai.djl.ndarray.NDArray;
import java.util.OptionalLong;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.task.Task.Batch;
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

  public LanguageModelling(
      DataIdentity data, TokenStream train, TokenStream validation, TrainingConfig config) {
    int length = config.training().length();
    this.data = data;
    this.train = new Windows(train, length, "train");
    this.order = new WindowOrder(this.train.numWindows(), new RandomStreams(config.seed()));
    this.validation = new Windows(validation, length, "validation");
    this.numValidationSamples =
        (int) Math.min(config.training().validation().sequences(), this.validation.numWindows());
  }

  static LanguageModelling of(ShardFolder shards, TrainingConfig config) {
    return new LanguageModelling(
        DataIdentity.of(shards.manifest()),
        shards.tokens(Split.TRAIN),
        shards.tokens(Split.VALIDATION),
        config);
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
    return OptionalLong.of(train.numWindows());
  }

  @Override
  public Samples training(long first, int count) {
    return train.read(count, b -> order.window(first + b));
  }

  @Override
  public int numValidationSamples() {
    return numValidationSamples;
  }

  @Override
  public Samples validation(int first, int count) {
    return validation.read(
        count, b -> (first + b) * validation.numWindows() / numValidationSamples);
  }

  @Override
  public NDArray loss(LanguageModel model, Batch batch) {
    return model.loss(batch.tokens_BT(), batch.targets());
  }

  @Override
  public String metric() {
    return "nll";
  }

  @Override
  public Score score(LanguageModel model, Batch batch) {
    NDArray x_Nd = model.hidden(model.embed(batch.tokens_BT())).reshape(-1, model.config().width());
    double sum = 0;
    for (float nll : model.nll(x_Nd, batch.targets().reshape(-1)).toFloatArray()) {
      sum += nll;
    }
    return new Score(sum, batch.targets().size());
  }
}
