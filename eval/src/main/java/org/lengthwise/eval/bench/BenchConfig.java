package org.lengthwise.eval.bench;

import java.util.List;
import org.lengthwise.positional.Alibi;

/**
 * The sizes of all parts, as conf/bench.yaml has them.
 *
 * @param repetitions how many rounds are timed
 * @param device {@code cpu} or {@code gpu:0}, {@code gpu:1}, ...
 * @param attention the part attention
 * @param scaling the part scaling
 * @param lastToken the part last-token
 * @param training the part training
 * @param reading the part reading
 * @param soak the part soak
 */
public record BenchConfig(
    int repetitions,
    String device,
    AttentionBench.Sizes attention,
    ScalingBench.Sizes scaling,
    LastTokenBench.Sizes lastToken,
    TrainingSizes training,
    Reading reading,
    TrainingSizes soak) {

  /** Checks the values. */
  public BenchConfig {
    requirePositive("repetitions", repetitions);
    if (!(training.model().position() instanceof Alibi)) {
      throw new IllegalArgumentException(
          "training: the program it is measured against knows alibi alone, found "
              + training.model().position().label());
    }
  }

  /**
   * The sizes of the part reading.
   *
   * @param shards about how many shards there are
   * @param shardBytes the size that none of them exceeds
   * @param windowLengths the lengths of the windows, T + 1 each
   * @param tokensPerPass about how many tokens are read in each timed pass
   */
  public record Reading(
      int shards, int shardBytes, List<Integer> windowLengths, int tokensPerPass) {
    /** Checks the values. */
    public Reading {
      requirePositive("shards", shards);
      requirePositive("shard_bytes", shardBytes);
      requirePositive("tokens_per_pass", tokensPerPass);
      windowLengths = List.copyOf(windowLengths);
      windowLengths.forEach(length -> requirePositive("window_lengths", length));
    }
  }

  static void requirePositive(String key, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(key + ": expected at least 1, found " + value);
    }
  }
}
