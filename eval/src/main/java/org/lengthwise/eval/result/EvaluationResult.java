package org.lengthwise.eval.result;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.BuildInfo;

/**
 * One line of {@code results.jsonl}: the outcome of one checkpoint under one protocol at one
 * length, as counts and sums.
 *
 * @param formatVersion the version of this record, {@link #FORMAT_VERSION}
 * @param run the run's name, the same over its seeds, such as {@code regulargpt-16-2}
 * @param scheme the positional scheme, such as {@code alibi} or {@code regulargpt}
 * @param seed the seed the model was trained with
 * @param checkpoint where the checkpoint lay, for the reader's eye only
 * @param step the optimiser step of the checkpoint
 * @param trainLength T_tr, the training length in tokens
 * @param model the model behind the result; null in lines of older format versions, which do not
 *     say
 * @param protocol how the windows were placed
 * @param withinDocument whether every window lies in one document, up to the longest of the
 *     evaluation's lengths
 * @param length T_ex, the tokens of a window: the model reads all but the last
 * @param scoredPerWindow how many of the last tokens of each window were scored, from 1 to T_ex - 1
 * @param count how many targets were scored, of all windows together
 * @param nllSum the sum of their negative log-likelihoods in nats
 * @param nllSquareSum the sum of the squares of the same
 * @param dataSha256 a digest that names the data, all splits of it
 * @param targetsSha256 a digest of the targets' offsets, {@link ScoredTargets#targetsSha256()}
 * @param build the software that measured
 */
public record EvaluationResult(
    int formatVersion,
    String run,
    String scheme,
    long seed,
    String checkpoint,
    long step,
    int trainLength,
    @Nullable EvaluatedModel model,
    Protocol protocol,
    boolean withinDocument,
    int length,
    int scoredPerWindow,
    long count,
    double nllSum,
    double nllSquareSum,
    String dataSha256,
    String targetsSha256,
    BuildInfo build) {
  /**
   * The format version. {@link EvaluationFile} reads the older ones too: version 1 knew last tokens
   * alone, and version 2 no model.
   */
  public static final int FORMAT_VERSION = 3;

  /** Checks that the values can be those of a result. */
  public EvaluationResult {
    Checks.require(
        formatVersion == FORMAT_VERSION, "format_version", "" + FORMAT_VERSION, formatVersion);
    Checks.name("run", run);
    Checks.name("scheme", scheme);
    Checks.atLeast("step", step, 0);
    Checks.atLeast("train_length", trainLength, 1);
    Checks.atLeast("length", length, 1);
    Checks.atLeast("scored_per_window", scoredPerWindow, 1);
    Checks.atLeast("count", count, 1);
    Checks.require(
        count % scoredPerWindow == 0, "count", "a multiple of " + scoredPerWindow, count);
    Checks.finite("nll_sum", nllSum);
    Checks.finite("nll_square_sum", nllSquareSum);
    Checks.sha256("data_sha256", dataSha256);
    Checks.sha256("targets_sha256", targetsSha256);
  }

  /**
   * Sums scored targets up into a result of this build.
   *
   * @param subject the checkpoint measured
   * @param protocol how the windows were placed
   * @param withinDocument whether every window lies in one document
   * @param length T_ex in tokens
   * @param scored the targets and their negative log-likelihoods; of each window the last ones
   * @param dataSha256 a digest that names the test tokens
   * @return the result
   */
  public static EvaluationResult of(
      EvaluatedCheckpoint subject,
      Protocol protocol,
      boolean withinDocument,
      int length,
      ScoredTargets scored,
      String dataSha256) {
    Checks.require(
        scored.greatestPosition() == length - 1,
        "position",
        "up to " + (length - 1),
        scored.greatestPosition());
    return new EvaluationResult(
        FORMAT_VERSION,
        subject.run(),
        subject.scheme(),
        subject.seed(),
        subject.path(),
        subject.step(),
        subject.trainLength(),
        subject.model(),
        protocol,
        withinDocument,
        length,
        length - scored.leastPosition(),
        scored.count(),
        scored.nllSum(),
        scored.nllSquareSum(),
        dataSha256,
        scored.targetsSha256(),
        BuildInfo.current());
  }

  /**
   * The model behind the result, where the result says so.
   *
   * @return the model; empty for a line of an older format version
   */
  public Optional<EvaluatedModel> knownModel() {
    return Optional.ofNullable(model);
  }

  /**
   * How many windows were read.
   *
   * @return their number, at least 1
   */
  public long numWindows() {
    return count / scoredPerWindow;
  }

  /**
   * The mean negative log-likelihood of the targets.
   *
   * @return nats per token
   */
  public double nllMean() {
    return nllSum / count;
  }

  /**
   * The perplexity: the exponential of the mean, never a mean of exponentials.
   *
   * @return exp({@link #nllMean()})
   */
  public double perplexity() {
    return Math.exp(nllMean());
  }

  /**
   * The standard error of {@link #nllMean()} over the targets: the sample standard deviation
   * divided by the square root of the count. It takes targets as independent, which those of one
   * window are not: beyond last tokens it is too small.
   *
   * @return nats per token; NaN for a single target, which shows no spread
   */
  public double standardError() {
    if (count == 1) {
      return Double.NaN;
    }
    double mean = nllMean();
    // Rounding can leave a variance of nearly equal values just below zero.
    double variance = Math.max(0, nllSquareSum - count * mean * mean) / (count - 1);
    return Math.sqrt(variance / count);
  }
}
