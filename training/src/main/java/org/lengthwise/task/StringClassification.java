package org.lengthwise.task;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.lengthwise.artifact.Sha256;
import org.lengthwise.automaton.Automaton;
import org.lengthwise.automaton.RegularTask;
import org.lengthwise.automaton.Sampler;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.error.ConfigException;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.training.config.RegularConfig;
import org.lengthwise.training.config.TrainingConfig;

/**
 * Gives one label to each string of a regular task. Each step draws one length, then its strings.
 * Validation measures the share of wrong labels on other strings, equally many of each training
 * length.
 */
public final class StringClassification implements Task {
  private final RegularTask task;
  private final List<Sampler.Draw> draws;
  private final RandomStreams streams;
  private final int batch;
  private final int validationPerLength;

  public StringClassification(RegularConfig config, TrainingConfig run) {
    this.task = config.task();
    this.draws =
        IntStream.rangeClosed(config.shortest(), config.longest())
            .mapToObj(length -> draw(task, length, "task.lengths"))
            .toList();
    this.streams = new RandomStreams(run.seed());
    this.batch = run.training().batch();
    this.validationPerLength = Math.max(1, run.training().validation().sequences() / draws.size());
  }

  private static Sampler.Draw draw(RegularTask task, int length, String where) {
    try {
      return task.sampler().at(length);
    } catch (InvalidValueException e) {
      throw new ConfigException(where, e.expected(), e.found(), "choose other lengths", e);
    }
  }

  /**
   * {@return strings of one length, for a measurement} A string depends on its stream only.
   *
   * @param stream the names of the streams, without the index of a string
   * @throws ConfigException if no string of the length has a label
   */
  public static List<int[]> strings(
      RegularTask task, int length, int count, RandomStreams streams, String stream) {
    return strings(draw(task, length, "lengths"), 0, count, streams, stream);
  }

  private static List<int[]> strings(
      Sampler.Draw draw, long first, int count, RandomStreams streams, String stream) {
    return LongStream.range(first, first + count)
        .mapToObj(index -> draw.string(index, streams.stream(stream + index)))
        .toList();
  }

  @Override
  public DataIdentity data() {
    TokenizerIdentity identity = identity(task);
    return new DataIdentity(identity, identity.sha256());
  }

  /**
   * {@return the identity of a task's alphabet, in the place of a tokenizer's} Its checksum is that
   * of the automaton.
   */
  public static TokenizerIdentity identity(RegularTask task) {
    return new TokenizerIdentity(
        task.name(), sha256(task.automaton()), task.automaton().numSymbols(), 0);
  }

  private static String sha256(Automaton automaton) {
    try {
      return Sha256.of(ConfigLoader.strictMapper().writeValueAsBytes(automaton));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an automaton is always JSON", e);
    }
  }

  @Override
  public int vocabulary() {
    return task.automaton().numSymbols();
  }

  @Override
  public OptionalLong samplesPerEpoch() {
    return OptionalLong.empty();
  }

  @Override
  public Samples training(long first, int count) {
    int index = streams.stream("strings/length-" + first / batch).nextInt(draws.size());
    return samples(draws.get(index), "strings/train-", first, count);
  }

  @Override
  public int numValidationSamples() {
    return validationPerLength * draws.size();
  }

  @Override
  public int validationEnd(int first) {
    return (first / validationPerLength + 1) * validationPerLength;
  }

  @Override
  public Samples validation(int first, int count) {
    Sampler.Draw draw = draws.get(first / validationPerLength);
    return samples(draw, "strings/validation-", first, count);
  }

  private Samples samples(Sampler.Draw draw, String stream, long first, int count) {
    return Samples.labelled(strings(draw, first, count, streams, stream), task.automaton());
  }

  @Override
  public NDArray loss(LanguageModel model, Batch batch) {
    NDManager owner = batch.tokens_BT().getManager();
    try (NDManager forward = owner.newSubManager()) {
      LanguageModel graphs = model.withGradient();
      NDArray embedded_BTd = graphs.embed(batch.tokens_BT());
      embedded_BTd.attach(forward);
      NDArray x_Bd = graphs.lastHidden(embedded_BTd);
      NDArray loss = graphs.nll(x_Bd, batch.targets().flatten()).mean();
      loss.attach(owner);
      return loss;
    }
  }

  @Override
  public String metric() {
    return "error_rate";
  }

  @Override
  public Score score(LanguageModel model, Batch batch) {
    NDArray labels_B = labels(model, batch.tokens_BT());
    long numRight = labels_B.eq(batch.targets().flatten()).countNonzero().getLong();
    return new Score((double) batch.targets().size() - numRight, batch.targets().size());
  }

  /** {@return the labels [B], int64, that a classifier gives to strings} */
  public static NDArray labels(LanguageModel model, NDArray tokens_BT) {
    return model.logits(model.lastHidden(model.embed(tokens_BT))).argMax(1);
  }
}
