package org.lengthwise.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;

/**
 * One line of {@code results.jsonl}: one checkpoint under one protocol at one length. In the file
 * the keys of the parts are on one level.
 *
 * @param targetsSha256 the checksum of the targets' offsets, {@link ScoredTargets#targetsSha256()}
 */
public record EvaluationResult(
    int formatVersion,
    Metric metric,
    @JsonUnwrapped EvaluatedCheckpoint subject,
    @JsonUnwrapped Windows windows,
    @JsonUnwrapped NllSums sums,
    @JsonUnwrapped Text text,
    String dataSha256,
    String targetsSha256,
    BuildInfo build) {
  public static final int FORMAT_VERSION = 3;

  /** The metric of a line of {@code results.jsonl}. */
  public enum Metric {
    /** The exponential of the mean negative log-likelihood of the targets. */
    PERPLEXITY
  }

  /**
   * The positions of a result's windows, and the number of targets of each window.
   *
   * @param withinDocument whether each window lies in one document that is at least as long as the
   *     longest length of the evaluation
   * @param length T_ex, the tokens of a window; the model reads all tokens except the last
   * @param scoredPerWindow how many of the last tokens of each window are targets, from 1 to T_ex -
   *     1
   * @param bosTokenId the id of BOS, which was read at the place of each window's first token; null
   *     if windows were read as they are
   */
  public record Windows(
      Protocol protocol,
      boolean withinDocument,
      int length,
      int scoredPerWindow,
      @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null")
          @Nullable Integer bosTokenId) {
    public Windows {
      Checks.atLeast("length", length, 1);
      Checks.atLeast("scored_per_window", scoredPerWindow, 1);
    }
  }

  /**
   * The text of a result's targets.
   *
   * @param bytes its size in UTF-8, without end-of-text and other special tokens; null if unknown
   * @param tokenizerSha256 the SHA-256 of the tokenizer of the targets; null if unknown
   */
  public record Text(
      @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Nullable Long bytes,
      @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null")
          @Nullable String tokenizerSha256) {
    /** The text of targets whose tokenizer is unknown. */
    public static final Text UNKNOWN = new Text(null, null);

    public Text {
      Checks.atLeast("bytes", bytes == null ? 0 : bytes, 0);
      if (tokenizerSha256 != null) {
        Checks.sha256("tokenizer_sha256", tokenizerSha256);
      }
    }
  }

  public EvaluationResult {
    Checks.require(
        formatVersion == FORMAT_VERSION, "format_version", "" + FORMAT_VERSION, formatVersion);
    int perWindow = windows.scoredPerWindow();
    Checks.require(
        sums.count() % perWindow == 0, "count", "a multiple of " + perWindow, sums.count());
    Checks.sha256("data_sha256", dataSha256);
    Checks.sha256("targets_sha256", targetsSha256);
  }

  /**
   * Sums the scores of targets. The result names this build.
   *
   * @param withinDocument whether each window lies in one document
   * @param scored the targets, which are the last tokens of each window, and their scores
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
        Metric.PERPLEXITY,
        subject,
        new Windows(protocol, withinDocument, length, length - scored.leastPosition(), null),
        new NllSums(scored.count(), scored.nllSum(), scored.nllSquareSum()),
        Text.UNKNOWN,
        dataSha256,
        scored.targetsSha256(),
        BuildInfo.current());
  }

  public EvaluationResult with(Text known) {
    return new EvaluationResult(
        formatVersion, metric, subject, windows, sums, known, dataSha256, targetsSha256, build);
  }

  /** {@return the same result of windows that begin with a token} */
  public EvaluationResult withBos(Optional<Integer> bos) {
    Windows begun =
        new Windows(
            windows.protocol,
            windows.withinDocument,
            windows.length,
            windows.scoredPerWindow,
            bos.orElse(null));
    return new EvaluationResult(
        formatVersion, metric, subject, begun, sums, text, dataSha256, targetsSha256, build);
  }

  public String run() {
    return subject.run();
  }

  public long seed() {
    return subject.seed();
  }

  public Protocol protocol() {
    return windows.protocol();
  }

  public int length() {
    return windows.length();
  }

  public double perplexity() {
    return sums.perplexity();
  }

  /**
   * {@return the negative log-likelihood of the targets in bits for each byte of their text; empty
   * if the text is unknown or has no bytes} It compares models of unlike tokenizers, whose
   * perplexities are of unlike tokens.
   */
  public OptionalDouble bitsPerByte() {
    Long bytes = text.bytes();
    return bytes == null || bytes == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(sums.sum() / (Math.log(2) * bytes));
  }

  public long numWindows() {
    return sums.count() / windows.scoredPerWindow();
  }
}
