package org.lengthwise.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.automaton.Negatives;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;

/**
 * One line of {@code accuracy.jsonl}: how often one classifier labels strings of one length
 * correctly, or how often a language model answers questions of one length correctly. In the file
 * the keys of the parts are on one level. A line of answers has {@code answer_tokens}, and lacks
 * the keys {@code negatives}, {@code p} and {@code samples_seed}, which say how strings are drawn.
 * A line of a recall task has the settings of the task, {@code answer_tokens} and {@code recall}.
 *
 * @param formatVersion the version of this record, {@link #FORMAT_VERSION}
 * @param metric {@link #METRIC}
 * @param errors the number of strings with a wrong label, or of answers with a wrong token
 * @param answerTokens the tokens of answers; null for a classifier
 * @param recall the details of a recall task; null for classifiers and answers
 */
public record AccuracyResult(
    int formatVersion,
    String metric,
    @JsonUnwrapped EvaluatedCheckpoint subject,
    @JsonUnwrapped Strings strings,
    long errors,
    @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null")
        @Nullable AnswerTokens answerTokens,
    @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Nullable RecallDetails recall,
    BuildInfo build) {
  /** The format version that is written and read. */
  public static final int FORMAT_VERSION = 1;

  /** The metric of every line. */
  public static final String METRIC = "accuracy";

  /**
   * The strings of a line, and what can be said about their labels without a model.
   *
   * @param task the name of the task; for answers the name of the file of the questions
   * @param length T, the length that was requested of the sampler
   * @param samplesSeed the seed of the strings; null for answers, which are not drawn
   * @param labels the number of strings with each label 0..N-1; empty for answers
   * @param rules the rules that need no states
   */
  public record Strings(
      String task,
      @JsonUnwrapped Draw draw,
      int length,
      long count,
      @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Nullable Long samplesSeed,
      List<Long> labels,
      List<RuleErrors> rules) {
    /**
     * Requires a length and a count of at least 1, labels of all strings or of none, and a seed if
     * and only if strings are drawn.
     */
    public Strings {
      boolean isDrawn = draw.negatives() != null || draw.settings() != null;
      Checks.require(
          isDrawn == (samplesSeed != null),
          "samples_seed",
          isDrawn ? "a number" : "none",
          samplesSeed == null ? "none" : samplesSeed);
      labels = List.copyOf(labels);
      rules = List.copyOf(rules);
      Checks.atLeast("length", length, 1);
      Checks.atLeast("count", count, 1);
      long sum = labels.stream().mapToLong(Long::longValue).sum();
      Checks.require(labels.isEmpty() || sum == count, "labels", "a sum of " + count, sum);
    }
  }

  /**
   * How strings are drawn.
   *
   * @param negatives how strings outside a language are drawn; null for answers
   * @param p the probability of b in parity_check, 0.5 for all other tasks; null for answers
   * @param settings the settings of a recall task; null for regular tasks and answers
   */
  public record Draw(
      @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Nullable Negatives negatives,
      @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Nullable Double p,
      @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null")
          @Nullable ObjectNode settings) {
    private static final double FAIR = 0.5;

    /** The questions of documents, which are not drawn. */
    public static final Draw ANSWERS = new Draw(null, null);

    /**
     * The draw of a regular task.
     *
     * @param negatives how strings outside a language are drawn
     * @param p the probability of b in parity_check
     */
    public Draw(@Nullable Negatives negatives, @Nullable Double p) {
      this(negatives, p, null);
    }

    /** Requires a probability of the strings of a regular task. */
    public Draw {
      Checks.require(negatives == null || p != null, "p", "a number", "none");
    }

    /** {@return whether b has a probability of its own; false for a p of 0.5, and for answers} */
    public boolean hasShift() {
      return p != null && p != FAIR;
    }

    /**
     * {@return the draw in words, such as {@code uniform}, {@code near}, {@code p = 0.7} or {@code
     * answers}, or {@code pairs 4, a 0.01}}
     */
    public String label() {
      if (settings != null) {
        return settings.properties().stream()
            .map(setting -> setting.getKey() + " " + setting.getValue().asText())
            .collect(Collectors.joining(", "));
      }
      return hasShift() ? "p = " + p : negatives == null ? "answers" : negatives.toString();
    }
  }

  /**
   * The errors of a rule.
   *
   * @param errors the number of strings whose label the rule does not give
   */
  public record RuleErrors(String rule, long errors) {}

  /**
   * The tokens of all answers of a line.
   *
   * @param count the number of tokens
   * @param errors the number of wrong tokens
   */
  public record AnswerTokens(long count, long errors) {
    /** Requires at least one token, and no more errors than tokens. */
    public AnswerTokens {
      Checks.atLeast("count", count, 1);
      Checks.require(0 <= errors && errors <= count, "errors", "0 to " + count, errors);
    }

    /** {@return the share of right tokens, from 0 to 1} */
    public double accuracy() {
      return 1 - (double) errors / count;
    }
  }

  /** Requires the current version, the metric, and no more errors than strings. */
  public AccuracyResult {
    Checks.require(
        formatVersion == FORMAT_VERSION, "format_version", "" + FORMAT_VERSION, formatVersion);
    Checks.require(metric.equals(METRIC), "metric", METRIC, metric);
    Checks.require(
        0 <= errors && errors <= strings.count(), "errors", "0 to " + strings.count(), errors);
  }

  /**
   * {@return a result of this build}
   *
   * @param errors the number of strings with a wrong label
   */
  public static AccuracyResult of(EvaluatedCheckpoint subject, Strings strings, long errors) {
    return new AccuracyResult(
        FORMAT_VERSION, METRIC, subject, strings, errors, null, null, BuildInfo.current());
  }

  /**
   * {@return a result of this build on answers}
   *
   * @param errors the number of answers with a wrong token
   * @param tokens the tokens of the answers
   */
  public static AccuracyResult ofAnswers(
      EvaluatedCheckpoint subject, Strings questions, long errors, AnswerTokens tokens) {
    return new AccuracyResult(
        FORMAT_VERSION, METRIC, subject, questions, errors, tokens, null, BuildInfo.current());
  }

  /**
   * {@return a result of this build on a recall task}
   *
   * @param errors the number of strings with a wrong token
   * @param tokens the targets of the strings
   */
  public static AccuracyResult ofRecall(
      EvaluatedCheckpoint subject,
      Strings strings,
      long errors,
      AnswerTokens tokens,
      RecallDetails recall) {
    return new AccuracyResult(
        FORMAT_VERSION, METRIC, subject, strings, errors, tokens, recall, BuildInfo.current());
  }

  /** {@return the run's name, the same for all seeds of the run} */
  public String run() {
    return subject.run();
  }

  /** {@return the share of right labels, from 0 to 1} */
  public double accuracy() {
    return 1 - (double) errors / strings.count();
  }
}
