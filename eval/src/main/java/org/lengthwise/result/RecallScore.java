package org.lengthwise.result;

import java.util.List;
import java.util.Objects;
import org.lengthwise.recall.Stream;
import org.lengthwise.statistics.Interval;
import org.lengthwise.statistics.Proportion;
import org.lengthwise.statistics.RecallVerdict;

/**
 * A line of a recall task with its verdict. Intervals are Wilson's with the number of strings, also
 * for tokens, because the tokens of a string depend on each other.
 *
 * @param isLearned whether the model has learned its task
 */
public record RecallScore(AccuracyResult line, boolean isLearned) {

  /**
   * {@return the tested lines among all lines of a recall task} A model has learned its task if
   * each of its lines on strings of the training has enough right tokens.
   *
   * @param lines lines, also of other kinds
   */
  public static List<RecallScore> of(List<AccuracyResult> lines) {
    List<AccuracyResult> recall = lines.stream().filter(one -> one.recall() != null).toList();
    return recall.stream()
        .filter(one -> details(one).stream() == Stream.TEST)
        .map(one -> new RecallScore(one, isLearned(one, recall)))
        .toList();
  }

  private static boolean isLearned(AccuracyResult line, List<AccuracyResult> all) {
    List<AccuracyResult> checks =
        all.stream()
            .filter(
                one ->
                    details(one).stream() == Stream.LEARNED
                        && one.subject().isSameModel(line.subject())
                        && one.strings().task().equals(line.strings().task()))
            .toList();
    return !checks.isEmpty()
        && checks.stream().allMatch(one -> RecallVerdict.isEnough(tokens(one).accuracy()));
  }

  private static RecallDetails details(AccuracyResult line) {
    return Objects.requireNonNull(line.recall(), "not a recall task");
  }

  private static AccuracyResult.AnswerTokens tokens(AccuracyResult line) {
    return Objects.requireNonNull(line.answerTokens(), "not a recall task");
  }

  /**
   * What distinguishes the lines of a report.
   *
   * @param strings the task, the settings and the length
   * @param stream what the strings were drawn for
   * @param isMixed whether they have all training lengths
   */
  public record Key(String run, long seed, List<Object> strings, Stream stream, boolean isMixed) {}

  /**
   * {@return the key of a line}
   *
   * @param line a line of a recall task
   */
  public static Key key(AccuracyResult line) {
    AccuracyResult.Strings strings = line.strings();
    return new Key(
        line.run(),
        line.subject().seed(),
        List.of(strings.task(), strings.draw(), strings.length()),
        details(line).stream(),
        details(line).isMixed());
  }

  /** {@return the details of the line} */
  public RecallDetails details() {
    return details(line);
  }

  /** {@return the targets and the wrong ones} */
  public AccuracyResult.AnswerTokens tokens() {
    return tokens(line);
  }

  /**
   * {@return the interval of the token accuracy}
   *
   * @param confidence the share of intervals that hold the true share, such as 0.95
   */
  public Interval tokenInterval(double confidence) {
    return Proportion.interval(tokens().accuracy(), line.strings().count(), confidence);
  }

  /**
   * {@return the interval of the string accuracy}
   *
   * @param confidence the share of intervals that hold the true share
   */
  public Interval stringInterval(double confidence) {
    long strings = line.strings().count();
    return new Proportion(strings - line.errors(), strings).interval(confidence);
  }

  /** {@return the verdict} */
  public RecallVerdict verdict(double confidence) {
    return RecallVerdict.of(
        isLearned, tokens().accuracy(), tokenInterval(confidence), details().chance());
  }
}
