package org.lengthwise.task;

import ai.djl.ndarray.NDArray;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.positional.attention.LayerStates;
import org.lengthwise.training.config.RecallConfig;
import org.lengthwise.training.config.RegularConfig;
import org.lengthwise.training.config.TrainingConfig;

/**
 * What a model learns: the samples, the loss, and the metric of validation. Training uses a task
 * only through this interface.
 *
 * <p>Invariants: a sample depends on its index and the run's seed only, never on what was read
 * before. Methods may be called from several threads, {@link #training} from one at a time.
 */
public interface Task {

  /**
   * {@return the task of a run} A task that reads no shards leaves their folder closed.
   *
   * @param shards the shards that the user names, closed by the caller
   */
  static Task of(TrainingConfig config, ShardSource shards) {
    if (config.task() instanceof RegularConfig regular) {
      return new StringClassification(regular, config);
    }
    return config.task() instanceof RecallConfig recall
        ? new Recall(recall.task(), config)
        : LanguageModelling.of(shards.folder(), config);
  }

  /** {@return the same task for a model that reads BOS first; strings begin as they are} */
  default Task beginningWith(int bos) {
    return this;
  }

  /**
   * {@return the identity of the data that the task reads} Checkpoints store this identity, and a
   * resumed run must have an equal one.
   */
  DataIdentity data();

  /** {@return V, the number of different tokens} */
  int vocabulary();

  /**
   * {@return the number of training samples of an epoch, or empty if samples never repeat} After an
   * epoch the samples repeat in another order.
   */
  OptionalLong samplesPerEpoch();

  /**
   * {@return the training samples of one step, all of one length} Samples are counted over all
   * epochs; a step begins at a multiple of the batch.
   */
  Samples training(long first, int count);

  /** {@return the number of samples of each validation, at least 1} */
  int numValidationSamples();

  /**
   * {@return the index of the first later validation sample of another length, or the number of
   * samples} A batch of validation never goes beyond.
   */
  default int validationEnd(int first) {
    return numValidationSamples();
  }

  /** {@return validation samples, the same at each validation} */
  Samples validation(int first, int count);

  /** {@return the mean loss of a batch, a scalar with its graph} */
  NDArray loss(LanguageModel model, Batch batch);

  /**
   * {@return the name of the metric of validation, such as {@code nll}} Lower is better: the lowest
   * mean is the best checkpoint.
   */
  String metric();

  /** {@return the metric of a batch of validation samples, without a graph} */
  Score score(LanguageModel model, Batch batch);

  /**
   * {@return whether a model with such a validation has learned the task; never for a task without
   * a best score}
   *
   * @param last the score of those of the last length
   */
  default boolean isLearned(Score all, Score last) {
    return false;
  }

  /**
   * Samples on a device.
   *
   * @param tokens_BT the inputs, int64
   * @param targets the targets of each input, int64: in language modelling [B, T], the token after
   *     each input; in string classification [B, 1]; in recall [B, T], -1 without a target
   * @param documents the documents of the inputs, if they are read apart; otherwise empty
   * @param states the states that a pass over the inputs begins with and leaves; empty: from 0
   */
  record Batch(
      NDArray tokens_BT,
      NDArray targets,
      List<Documents.Rows> documents,
      Optional<LayerStates> states) {}

  /**
   * A metric over some targets. Replicas add their sums and counts.
   *
   * @param wrongStrings the number of strings with a wrong target; 0 unless a task counts them
   * @param strings the number of strings; 0 unless a task counts them
   */
  record Score(double sum, long count, long wrongStrings, long strings) {
    public static final Score NONE = new Score(0, 0);

    public Score(double sum, long count) {
      this(sum, count, 0, 0);
    }

    public Score plus(Score other) {
      return new Score(
          sum + other.sum,
          count + other.count,
          wrongStrings + other.wrongStrings,
          strings + other.strings);
    }

    public double mean() {
      return sum / count;
    }
  }

  @FunctionalInterface
  interface Loss {

    NDArray of(LanguageModel model, Batch batch);
  }
}
