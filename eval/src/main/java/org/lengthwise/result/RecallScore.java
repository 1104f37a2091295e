package org.lengthwise.result;

import java.util.List;
import org.lengthwise.result.AccuracyResult.Drawn;
import org.lengthwise.result.AccuracyResult.Share;

/** A line of a recall task with its verdict. */
public record RecallScore(AccuracyResult line, boolean isLearned) {
  /** The place of the tokens among the shares of a line, after the strings. */
  public static final int TOKENS = 1;

  /**
   * {@return the tested lines among all lines of a recall task} A model has learned its task if
   * each of its lines on strings of the training has enough right tokens.
   */
  public static List<RecallScore> of(List<AccuracyResult> lines) {
    return lines.stream()
        .filter(one -> one.metric().equals(AccuracyResult.RECALL))
        .filter(one -> one.strings().drawn() == Drawn.TEST)
        .map(one -> new RecallScore(one, isLearned(one, lines)))
        .toList();
  }

  private static boolean isLearned(AccuracyResult line, List<AccuracyResult> all) {
    List<AccuracyResult> checks =
        all.stream()
            .filter(
                one ->
                    one.strings().drawn() != Drawn.TEST
                        && one.subject().isSameModel(line.subject())
                        && one.strings().task().equals(line.strings().task()))
            .toList();
    return !checks.isEmpty()
        && checks.stream().allMatch(one -> RecallVerdict.isEnough(one.share(TOKENS).accuracy()));
  }

  public Share tokens() {
    return line.share(TOKENS);
  }

  public RecallVerdict verdict(double confidence) {
    return RecallVerdict.of(
        isLearned, tokens().accuracy(), line.interval(TOKENS, confidence), tokens().chance());
  }
}
