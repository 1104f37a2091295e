package org.lengthwise.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.statistics.Interval;
import org.lengthwise.statistics.Proportion;

/**
 * One line of {@code accuracy.jsonl}: how often one model is right on strings of one length. Every
 * measurement that counts right answers stores such lines. In the file the keys of the parts are on
 * one level.
 *
 * @param shares what was counted; the first share is that of whole strings
 * @param baselines what is known without a model, on the same strings
 * @param distances the targets by distance, in bins 1, 2, 3-4, 5-8, ..; bins without targets are
 *     absent, and tasks without distances have none
 * @param means means over the strings that are no shares, by name
 */
public record AccuracyResult(
    int formatVersion,
    String metric,
    @JsonUnwrapped EvaluatedCheckpoint subject,
    @JsonUnwrapped Strings strings,
    List<Share> shares,
    List<Baseline> baselines,
    List<Bin> distances,
    Map<String, Double> means,
    BuildInfo build) {
  public static final int FORMAT_VERSION = 2;

  /** The metric of the labels of strings. */
  public static final String LABELS = "accuracy";

  /** The metric of the answers of language models. */
  public static final String ANSWERS = "answers";

  /** The metric of recall tasks. */
  public static final String RECALL = "recall";

  /** The metric of keys that language models find in a text. */
  public static final String PASSKEY = "passkey";

  /** What strings were drawn for. */
  public enum Drawn {
    /** The measurement. */
    TEST,
    /** The check that a task is learned, with the longest length of the training. */
    LEARNED,
    /** The same check, with all lengths of the training. */
    MIXED
  }

  /**
   * The strings of a line.
   *
   * @param task the name of the task, of the file of the questions, or of the filler of a passkey
   * @param settings what distinguishes these strings of the task from others, by key
   * @param length T, the length that was requested
   * @param samplesSeed the seed of the strings; null for documents, which are not drawn
   */
  public record Strings(
      String task,
      ObjectNode settings,
      Drawn drawn,
      int length,
      long count,
      @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Nullable Long samplesSeed) {
    public Strings {
      Checks.atLeast("length", length, 1);
      Checks.atLeast("count", count, 1);
    }

    /**
     * {@return the settings in words, such as {@code uniform}, {@code p = 0.7} or {@code a 0.01}}
     */
    public String label() {
      if (settings.has("negatives")) {
        return hasShift()
            ? "p = " + settings.path("p").asText()
            : settings.path("negatives").asText();
      }
      return settings.properties().stream()
          .map(setting -> setting.getKey() + " " + setting.getValue().asText())
          .collect(Collectors.joining(", "));
    }

    /** {@return whether b has a probability of its own in parity_check, which is not 0.5} */
    public boolean hasShift() {
      return settings.path("p").asDouble(0.5) != 0.5;
    }
  }

  /**
   * A number of successes.
   *
   * @param of what was counted, such as {@code tokens}
   * @param chance the share of successes of a guess; 0 if it is not known
   */
  public record Share(String of, long right, long count, double chance) {
    public Share {
      Checks.atLeast("count", count, 1);
      Checks.require(0 <= right && right <= count, "right", "0 to " + count, right);
    }

    /** A share whose guess is not known. */
    public Share(String of, long right, long count) {
      this(of, right, count, 0);
    }

    public long errors() {
      return count - right;
    }

    public double accuracy() {
      return 1 - (double) errors() / count;
    }

    public Proportion proportion() {
      return new Proportion(right, count);
    }
  }

  /**
   * What is known without a model.
   *
   * @param isConstant whether it is one answer for all strings; otherwise a rule
   * @param right the successes of each share of the line that it has
   */
  public record Baseline(String name, boolean isConstant, List<Long> right) {
    public Baseline {
      right = List.copyOf(right);
    }
  }

  /**
   * Targets of similar distance.
   *
   * @param longest the longest distance, a power of two
   */
  public record Bin(int longest, long right, long count) {}

  public AccuracyResult {
    Checks.require(
        formatVersion == FORMAT_VERSION, "format_version", "" + FORMAT_VERSION, formatVersion);
    shares = List.copyOf(shares);
    baselines = List.copyOf(baselines);
    distances = List.copyOf(distances);
    means = Map.copyOf(means);
    long first = shares.stream().mapToLong(Share::count).findFirst().orElse(0);
    Checks.require(first == strings.count(), "shares", "one of all strings first", shares);
  }

  /** {@return a result of this build with shares only} */
  public static AccuracyResult of(
      String metric, EvaluatedCheckpoint subject, Strings strings, Share... shares) {
    return new AccuracyResult(
        FORMAT_VERSION,
        metric,
        subject,
        strings,
        List.of(shares),
        List.of(),
        List.of(),
        Map.of(),
        BuildInfo.current());
  }

  /** {@return the same result with what is known without a model} */
  public AccuracyResult with(List<Baseline> known) {
    return new AccuracyResult(
        formatVersion, metric, subject, strings, shares, known, distances, means, build);
  }

  /** {@return the same result with further numbers} */
  public AccuracyResult with(List<Bin> byDistance, Map<String, Double> others) {
    return new AccuracyResult(
        formatVersion, metric, subject, strings, shares, baselines, byDistance, others, build);
  }

  public String run() {
    return subject.run();
  }

  public int length() {
    return strings.length();
  }

  /** {@return a share; the first one is that of whole strings} */
  public Share share(int index) {
    return shares.get(index);
  }

  /** {@return the share of right strings, from 0 to 1} */
  public double accuracy() {
    return share(0).accuracy();
  }

  /** {@return the share of successes of a baseline} */
  public double of(Baseline baseline, int index) {
    long right = baseline.right().get(index);
    long count = share(index).count();
    return baseline.isConstant ? (double) right / count : 1 - (double) (count - right) / count;
  }

  /**
   * {@return Wilson's interval of a share, with the number of strings, because the tokens of a
   * string depend on each other}
   *
   * @param confidence the share of intervals that hold the true share, such as 0.95
   */
  public Interval interval(int index, double confidence) {
    return index == 0
        ? share(0).proportion().interval(confidence)
        : Proportion.interval(share(index).accuracy(), strings.count(), confidence);
  }

  /** {@return the settings of the strings in words; answers to questions have none} */
  public String label() {
    return metric.equals(ANSWERS) ? ANSWERS : strings.label();
  }

  /**
   * What distinguishes the lines of a report.
   *
   * @param strings what the strings are, without their number
   */
  public record Key(String metric, String run, long seed, List<Object> strings) {}

  public Key key() {
    return new Key(
        metric,
        run(),
        subject.seed(),
        List.of(strings.task(), strings.settings(), strings.drawn(), length()));
  }

  public boolean agrees(AccuracyResult other) {
    return strings.equals(other.strings)
        && shares.equals(other.shares)
        && baselines.equals(other.baselines)
        && distances.equals(other.distances)
        && means.equals(other.means);
  }
}
