package org.lengthwise.report.scoreboard;

import java.util.Locale;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.Question;
import org.lengthwise.report.form.Question.Answer;
import org.lengthwise.report.form.TableText.Entry;
import org.lengthwise.statistics.Interval;

/**
 * An answer among all answers to its question.
 *
 * @param question the question
 * @param answer the answer
 */
record Score(Question question, Answer answer) {
  /** A number that is this many times the best one has no colour. */
  private static final double WORST_RATIO = 2;

  boolean isLearned() {
    return answer.learned() > 0;
  }

  /** The number in words. */
  String number() {
    return number(question, answer.value());
  }

  /** The number, shaded by how good it is; in brackets if the task was not learned. */
  Entry cell() {
    String share =
        answer.learned() == answer.seeds()
            ? ""
            : "(%d of %d)".formatted(answer.learned(), answer.seeds());
    return isLearned() ? new Entry(number(), share, "", shade()) : Entry.inBrackets(number());
  }

  /** The number with its interval, and the seeds. */
  Entry detailed() {
    Interval interval = answer.interval();
    String seeds = answer.seeds() == 1 ? "1 seed" : answer.seeds() + " seeds";
    return new Entry(
        number(),
        "(%s–%s; %s)"
            .formatted(
                number(question, interval.low()),
                number(question, interval.high()),
                answer.learned() == answer.seeds()
                    ? seeds
                    : seeds + ", " + answer.learned() + " learned"),
        "");
  }

  /**
   * From 0, a guess, to 1 for a share; for others 1 is the best of all models, and 0 is twice as
   * much or more.
   */
  private double shade() {
    if (question.isShare()) {
      double guess = question.references().isEmpty() ? 0 : question.references().get(0).value();
      return Math.max(0, (answer.value() - guess) / (1 - guess));
    }
    double best =
        question.answers().stream().mapToDouble(Answer::value).min().orElse(answer.value());
    return Math.max(0, 1 - Math.log(answer.value() / best) / Math.log(WORST_RATIO));
  }

  static String number(Question question, double value) {
    if (question.isShare()) {
      // Only a share without an error is 100.0.
      return String.format(Locale.ROOT, "%.1f", value < 1 ? Math.min(99.9, 100 * value) : 100);
    }
    return value < 100
        ? String.format(Locale.ROOT, "%.2f", value)
        : Numbers.count(Math.round(value));
  }
}
