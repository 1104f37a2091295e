package org.lengthwise.task;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.error.ConfigException;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.positional.attention.WatchedAttention.Weights;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.recall.RecallString;
import org.lengthwise.recall.RecallTask;
import org.lengthwise.recall.Stream;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.config.TrainingConfig;

/**
 * Predicts the targets of a recall task; other positions have no loss. Each group of a step,
 * usually the whole step, draws one length, then its strings. Validation measures the share of
 * wrong tokens on other strings, equally many of each training length.
 */
public final class Recall implements Task {
  /** The token accuracy from which on a task is learned. */
  public static final double LEARNED = 0.99;

  private final RecallTask task;
  private final RecallTask.Strings strings;
  private final int[] lengths;
  private final RandomStreams streams;
  private final Optional<AttentionSupervision> supervision;
  private final int group;
  private final OptionalLong samplesPerEpoch;
  private final Optional<WindowOrder> order;
  private final int[] validationEnds;

  public Recall(RecallTask task, TrainingConfig run) {
    this.task = task;
    this.streams = new RandomStreams(run.seed());
    this.strings = task.open(streams);
    this.lengths = task.trainingLengths().toArray();
    this.supervision = AttentionSupervision.of(task, run);
    this.group = task.group(run.training().batch());
    this.samplesPerEpoch = task.samplesPerEpoch();
    requireGroups(run.training());
    this.order =
        samplesPerEpoch.isEmpty()
            ? Optional.empty()
            : Optional.of(new WindowOrder(samplesPerEpoch.getAsLong() / group, streams));
    int each = Math.max(1, run.training().validation().sequences() / lengths.length);
    this.validationEnds =
        Arrays.stream(lengths).map(l -> strings.count(Stream.VALIDATION, l, each)).toArray();
    Arrays.parallelPrefix(validationEnds, Integer::sum);
  }

  private void requireGroups(LoopConfig loop) {
    long epoch = samplesPerEpoch.orElse(group);
    if (epoch < group || epoch % group != 0) {
      throw new ConfigException(
          "task.epoch",
          "a multiple of the strings of one length, " + group,
          String.valueOf(epoch),
          "change it, task.group or training.batch");
    }
    if (loop.batch() % group != 0 || group % loop.microBatch() != 0) {
      throw new ConfigException(
          "task.group",
          "a divisor of training.batch %s, and a multiple of training.micro_batch %s"
              .formatted(loop.batch(), loop.microBatch()),
          String.valueOf(group),
          "change one of the three");
    }
  }

  @Override
  public DataIdentity data() {
    String sha256 = strings.sha256();
    return new DataIdentity(
        new TokenizerIdentity(task.name(), sha256, strings.vocabulary(), 0), sha256);
  }

  @Override
  public int vocabulary() {
    return strings.vocabulary();
  }

  @Override
  public OptionalLong samplesPerEpoch() {
    return samplesPerEpoch;
  }

  @Override
  public Samples training(long first, int count) {
    if (first % group + count > group) {
      throw new ConfigException(
          "task.group",
          "a multiple of the %s strings that a replica reads at a time".formatted(count),
          String.valueOf(group),
          "change it, training.micro_batch or the devices");
    }
    long position = first / group;
    long drawn = order.map(epoch -> epoch.window(position)).orElse(position);
    int length = lengths[streams.stream("recall/length-" + drawn).nextInt(lengths.length)];
    return samples(Stream.TRAIN, length, drawn * group + first % group, count);
  }

  @Override
  public int numValidationSamples() {
    return validationEnds[validationEnds.length - 1];
  }

  @Override
  public int validationEnd(int first) {
    return validationEnds[lengthOf(first)];
  }

  private int lengthOf(int sample) {
    int i = 0;
    while (validationEnds[i] <= sample) {
      i++;
    }
    return i;
  }

  @Override
  public Samples validation(int first, int count) {
    int i = lengthOf(first);
    int start = i == 0 ? 0 : validationEnds[i - 1];
    return samples(Stream.VALIDATION, lengths[i], first - start, count);
  }

  private Samples samples(Stream stream, int length, long first, int count) {
    return samples(
        LongStream.range(first, first + count)
            .mapToObj(index -> strings.at(stream, length, index))
            .toList());
  }

  public static Samples samples(List<RecallString> strings) {
    return new Samples(
        strings.size(),
        strings.stream().flatMapToInt(one -> Arrays.stream(one.ids())).asLongStream().toArray(),
        strings.stream()
            .flatMapToInt(one -> Arrays.stream(one.targets()))
            .asLongStream()
            .toArray());
  }

  @Override
  public NDArray loss(LanguageModel model, Batch batch) {
    NDManager owner = batch.tokens_BT().getManager();
    try (NDManager forward = owner.newSubManager()) {
      NDArray targets_N = batch.targets().flatten();
      targets_N.attach(forward);
      NDArray asked_N = targets_N.gte(0).toType(DataType.FLOAT32, false);
      LanguageModel graphs = model.withGradient();
      List<Weights> attention = new ArrayList<>();
      LanguageModel watched =
          supervision.map(any -> graphs.watched(attention::add).orElseThrow()).orElse(graphs);
      NDArray nll_N = graphs.nll(hidden(watched, batch, forward), targets_N.maximum(0));
      NDArray loss = nll_N.mul(asked_N).sum().div(asked_N.sum());
      if (supervision.isPresent()) {
        loss = loss.add(supervision.get().loss(batch.tokens_BT(), attention));
      }
      loss.attach(owner);
      return loss;
    }
  }

  /** The hidden states [B T, d] of all positions. */
  private static NDArray hidden(LanguageModel model, Batch batch, NDManager pass) {
    NDArray embedded_BTd = model.embed(batch.tokens_BT());
    embedded_BTd.attach(pass);
    return model.hidden(embedded_BTd).reshape(-1, model.config().width());
  }

  @Override
  public String metric() {
    return "token_error_rate";
  }

  @Override
  public Score score(LanguageModel model, Batch batch) {
    long[] targets = batch.targets().toLongArray();
    int[] predicted = predicted(model, batch);
    int length = (int) batch.targets().getShape().get(1);
    boolean[] isWrong = new boolean[targets.length / length];
    int asked = 0;
    int wrong = 0;
    for (int i = 0; i < targets.length; i++) {
      if (targets[i] != RecallString.NONE && predicted[asked++] != targets[i]) {
        isWrong[i / length] = true;
        wrong++;
      }
    }
    int wrongStrings = 0;
    for (boolean one : isWrong) {
      wrongStrings += one ? 1 : 0;
    }
    return new Score(wrong, asked, wrongStrings, isWrong.length);
  }

  /** The token accuracy is 99 % on all strings, and on those of the longest length. */
  @Override
  public boolean isLearned(Score all, Score longest) {
    return Math.max(all.mean(), longest.mean()) <= 1 - LEARNED;
  }

  /**
   * {@return the most probable token at each target of a batch, in order; {@link RecallString#NONE}
   * if two tokens are equally probable}
   */
  public static int[] predicted(LanguageModel model, Batch batch) {
    try (NDManager pass = batch.tokens_BT().getManager().newSubManager()) {
      NDArray logits_NV = model.logits(hidden(model, batch, pass));
      logits_NV.attach(pass);
      long[] targets = batch.targets().toLongArray();
      float[] logits = logits_NV.toFloatArray();
      int size = logits.length / targets.length;
      return LongStream.range(0, targets.length)
          .filter(i -> targets[(int) i] != RecallString.NONE)
          .mapToInt(i -> largest(logits, (int) i * size, size))
          .toArray();
    }
  }

  private static int largest(float[] logits, int start, int size) {
    int best = 0;
    boolean isTie = false;
    for (int i = 1; i < size; i++) {
      if (logits[start + i] > logits[start + best]) {
        best = i;
        isTie = false;
      } else if (logits[start + i] == logits[start + best]) {
        isTie = true;
      }
    }
    return isTie || Float.isNaN(logits[start + best]) ? RecallString.NONE : best;
  }
}
