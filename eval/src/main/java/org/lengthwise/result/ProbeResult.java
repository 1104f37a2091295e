package org.lengthwise.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.config.Checks;
import org.lengthwise.statistics.Interval;
import org.lengthwise.statistics.Proportion;

/**
 * One line of {@code probe.jsonl}: how well a language model finds a key that stands at one depth
 * of a text of one length. The prompts behind it are in {@code prompts.jsonl}.
 *
 * @param formatVersion the version of this record, {@link #FORMAT_VERSION}
 * @param metric {@link #METRIC}
 * @param length T, the tokens that the model reads
 * @param depth the share of the filler before the needle
 * @param samplesSeed the seed of keys and text
 * @param choice the prompts whose right key is more probable than nine others
 * @param exact the prompts whose right key is the most probable token at each place
 * @param control the prompts that choose right although their needle holds another key
 * @param gain the mean of ln p(right key) with its needle, minus the same with another needle, in
 *     nats
 */
public record ProbeResult(
    int formatVersion,
    String metric,
    @JsonUnwrapped EvaluatedCheckpoint subject,
    String filler,
    int length,
    double depth,
    long count,
    long samplesSeed,
    long choice,
    long exact,
    long control,
    double gain,
    BuildInfo build) {
  /** The format version that is written and read. */
  public static final int FORMAT_VERSION = 1;

  /** The metric of every line. */
  public static final String METRIC = "passkey";

  /** The share of right choices of a guess among ten keys. */
  public static final double CHANCE = 0.1;

  /** Requires the current version, the metric, and no more successes than prompts. */
  public ProbeResult {
    Checks.require(
        formatVersion == FORMAT_VERSION, "format_version", "" + FORMAT_VERSION, formatVersion);
    Checks.require(metric.equals(METRIC), "metric", METRIC, metric);
    long most = Math.max(choice, Math.max(exact, control));
    Checks.require(most <= count, "choice", "at most " + count, most);
  }

  /**
   * {@return Wilson's interval of a number of prompts}
   *
   * @param confidence such as 0.95
   */
  public Interval interval(long successes, double confidence) {
    return new Proportion(successes, count).interval(confidence);
  }

  /**
   * {@return whether the interval of choice contains the share of a guess}
   *
   * @param confidence such as 0.95
   */
  public boolean isChance(double confidence) {
    return interval(choice, confidence).contains(CHANCE);
  }
}
