package org.lengthwise.bench;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.positional.attention.Precision;

/**
 * The sizes of all parts, as in conf/bench.yaml.
 *
 * @param repetitions the number of timed rounds
 * @param device {@code cpu} or {@code gpu:0}, {@code gpu:1}, ...
 * @param precision the format of the products in every part except training and forward: their
 *     TorchScript programs support only float32
 * @param tolerance the largest allowed difference between variants of a workload, by precision
 * @param attention the sizes of the part attention
 * @param scaling the sizes of the part scaling
 * @param lastToken the sizes of the part last-token
 * @param forward the sizes of the part forward
 * @param training the sizes of the part training
 * @param schemes the sizes of the part schemes
 * @param recurrence the sizes of the part recurrence
 * @param reading the sizes of the part reading
 * @param preparation the files of the part preparation
 * @param soak the sizes of the part soak
 */
public record BenchConfig(
    @Unit("rounds") int repetitions,
    String device,
    Precision precision,
    Map<Precision, Double> tolerance,
    AttentionBench.Sizes attention,
    ScalingBench.Sizes scaling,
    LastTokenBench.Sizes lastToken,
    ForwardBench.Sizes forward,
    TrainingSizes training,
    SchemesBench.Sizes schemes,
    RecurrenceBench.Sizes recurrence,
    Reading reading,
    PreparationBench.Sizes preparation,
    TrainingSizes soak) {

  /** Requires a tolerance for each precision, and ALiBi for the part training. */
  public BenchConfig {
    Checks.atLeast("repetitions", repetitions, 1);
    Map<Precision, Double> copy = new EnumMap<>(Precision.class);
    copy.putAll(tolerance);
    tolerance = Collections.unmodifiableMap(copy);
    for (Precision each : Precision.values()) {
      Double most = tolerance.get(each);
      Checks.require(
          most != null && most >= 0,
          "tolerance",
          "a number for " + each.label(),
          String.valueOf(most));
    }
    Checks.require(
        training.model().position().label().equals("alibi"),
        "training.model.position",
        "alibi, the only scheme of the TorchScript program",
        training.model().position().label());
  }

  /**
   * The sizes of the part reading.
   *
   * @param shards the approximate number of shards
   * @param shardBytes the largest size of a shard
   * @param windowLengths the lengths of the windows, T + 1 each
   * @param tokensPerPass the approximate number of tokens of a timed pass
   */
  public record Reading(
      @Unit("shards") int shards,
      @Unit("bytes") int shardBytes,
      @Unit("tokens") List<Integer> windowLengths,
      @Unit("tokens") int tokensPerPass) {
    /** Requires positive numbers. */
    public Reading {
      Checks.atLeast("shards", shards, 1);
      Checks.atLeast("shard_bytes", shardBytes, 1);
      Checks.atLeast("tokens_per_pass", tokensPerPass, 1);
      windowLengths = List.copyOf(windowLengths);
      windowLengths.forEach(length -> Checks.atLeast("window_lengths", length, 1));
    }
  }

  /** The precision of a part. */
  Precision precision(BenchPart part) {
    boolean hasProgram = part == BenchPart.TRAINING || part == BenchPart.FORWARD;
    return hasProgram ? Precision.FLOAT32 : precision;
  }

  /** The largest allowed difference between variants of a part. */
  double tolerance(BenchPart part) {
    return Objects.requireNonNull(tolerance.get(precision(part)));
  }
}
