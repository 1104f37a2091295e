package org.lengthwise.eval.bench;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.attention.Precision;

/**
 * The sizes of all parts, as conf/bench.yaml has them.
 *
 * @param repetitions how many rounds are timed
 * @param device {@code cpu} or {@code gpu:0}, {@code gpu:1}, ...
 * @param precision the format of the products in every part but training, whose program knows
 *     float32 alone
 * @param tolerance how far forms of the same work may differ, by precision
 * @param attention the part attention
 * @param scaling the part scaling
 * @param lastToken the part last-token
 * @param training the part training
 * @param schemes the part schemes
 * @param reading the part reading
 * @param soak the part soak
 */
public record BenchConfig(
    int repetitions,
    String device,
    Precision precision,
    Map<Precision, Double> tolerance,
    AttentionBench.Sizes attention,
    ScalingBench.Sizes scaling,
    LastTokenBench.Sizes lastToken,
    TrainingSizes training,
    SchemesBench.Sizes schemes,
    Reading reading,
    TrainingSizes soak) {

  /** Checks the values. */
  public BenchConfig {
    requirePositive("repetitions", repetitions);
    Map<Precision, Double> copy = new EnumMap<>(Precision.class);
    copy.putAll(tolerance);
    tolerance = Collections.unmodifiableMap(copy);
    for (Precision each : Precision.values()) {
      Double most = tolerance.get(each);
      if (most == null || !(most >= 0)) {
        throw new IllegalArgumentException(
            "tolerance: expected a number for %s, found %s".formatted(each.label(), most));
      }
    }
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

  /** The precision of a part. */
  Precision precision(Part part) {
    return part == Part.TRAINING ? Precision.FLOAT32 : precision;
  }

  /** How far forms of a part's work may differ. */
  double tolerance(Part part) {
    return Objects.requireNonNull(tolerance.get(precision(part)));
  }

  static void requirePositive(String key, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(key + ": expected at least 1, found " + value);
    }
  }
}
