package org.lengthwise.report.form;

import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.lengthwise.statistics.Interval;

/**
 * One question to all models, a column of the scoreboard.
 *
 * @param subject what the models were trained on: the name of their task, or {@link #TEXT}
 * @param references what is known without the models; of shares first that of a guess
 */
public record Question(
    String subject,
    String title,
    Measure measure,
    List<Answer> answers,
    List<Reference> references) {
  /** The subject of models that were trained on a text. */
  public static final String TEXT = "text";

  /** What an answer is: of a share more is better, of a perplexity or a time less. */
  public enum Measure {
    RECALL,
    ACCURACY,
    PERPLEXITY,
    TIME
  }

  public Question {
    answers = List.copyOf(answers);
    references = List.copyOf(references);
  }

  public boolean isShare() {
    return measure == Measure.RECALL || measure == Measure.ACCURACY;
  }

  /** {@return the share of right answers without a model, the first reference; 0 if unknown} */
  public double guess() {
    return references.isEmpty() ? 0 : references.get(0).value();
  }

  /**
   * {@return an answer or a reference in words} A share is in percent, and only one without an
   * error is 100.0.
   */
  public String number(double value) {
    if (isShare()) {
      return String.format(Locale.ROOT, "%.1f", value < 1 ? Math.min(99.9, 100 * value) : 100);
    }
    return value < 100
        ? String.format(Locale.ROOT, "%.2f", value)
        : Numbers.count(Math.round(value));
  }

  /**
   * {@return how good an answer is} Of a share 0 is a guess, and 1 has no error. Of a perplexity or
   * a time 1 is the best of all answers, and 0 is twice as much or more.
   */
  public double shade(double value) {
    double best = answers.stream().mapToDouble(Answer::value).min().orElse(value);
    return Math.max(
        0,
        isShare() ? (value - guess()) / (1 - guess()) : 1 - Math.log(value / best) / Math.log(2));
  }

  /** {@return the row of a run: its name without the subject, which a block adds to the name} */
  public String row(String run) {
    return RunName.withoutSubject(run, subject);
  }

  /**
   * The answer of a run.
   *
   * @param value the mean over the seeds that count: those that have learned their task, or all if
   *     none has
   * @param interval the interval of one seed, or the range of several
   * @param learned how many of them have learned their task
   */
  public record Answer(String run, double value, Interval interval, int seeds, int learned) {
    public boolean isLearned() {
      return learned > 0;
    }

    /**
     * {@return the answer of several seeds: mean and range of those that count; of one seed its
     * interval}
     *
     * @param seeds the results, at least one
     * @param ofOne the interval of a seed
     */
    public static <T> Answer of(
        String run,
        List<T> seeds,
        Predicate<T> isLearned,
        ToDoubleFunction<T> value,
        Function<T, Interval> ofOne) {
      List<T> learned = seeds.stream().filter(isLearned).toList();
      List<T> counting = learned.isEmpty() ? seeds : learned;
      DoubleSummaryStatistics values = counting.stream().mapToDouble(value).summaryStatistics();
      Interval interval =
          counting.size() == 1
              ? ofOne.apply(counting.get(0))
              : new Interval(values.getMin(), values.getMax());
      return new Answer(run, values.getAverage(), interval, seeds.size(), learned.size());
    }
  }

  public record Reference(String name, double value) {}
}
