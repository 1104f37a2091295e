package org.lengthwise.report.recall;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.TableText;
import org.lengthwise.report.form.TableText.Entry;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.RecallDetails;
import org.lengthwise.result.RecallScore;
import org.lengthwise.statistics.Interval;
import org.lengthwise.statistics.Proportion;

/**
 * The tables of a group, with a row for each model, and the numbers of all as CSV.
 *
 * @param confidence the share that intervals hold
 */
record RecallTables(double confidence) {
  private static final String HEADER =
      "run,scheme,seed,task,settings,length,strings,string_errors,string_accuracy,string_low,"
          + "string_high,tokens,token_errors,token_accuracy,token_low,token_high,chance,decoys,verdict\n";

  List<TableText> of(RecallGroup group) {
    List<String> not =
        group.models().stream().allMatch(group::isLearned)
            ? List.of()
            : List.of(
                "Not learned: below 99 % of right tokens at the lengths of the training; nothing"
                    + " follows from the numbers of such a model.");
    return List.of(
        table(
            group,
            "Right tokens in %, " + group.title(),
            (rule, tokens) -> 1 - (double) rule.tokens() / tokens.tokens().count(),
            RecallScore::tokenInterval,
            score -> score.tokens().accuracy(),
            score -> score.tokens().errors(),
            notes(
                "The right tokens before a token are given. Intervals: Wilson's with the number of"
                    + " strings. Verdicts: holds, 99 % or more; chance, if the interval contains the"
                    + " share of a guess; in part otherwise.",
                not)),
        table(
            group,
            "Right strings in %, " + group.title(),
            (rule, score) -> 1 - (double) rule.strings() / score.line().strings().count(),
            RecallScore::stringInterval,
            score -> score.line().accuracy(),
            score -> score.line().errors(),
            notes("Strings without a wrong token. Intervals: Wilson's.", not)));
  }

  private static List<String> notes(String first, List<String> others) {
    return Stream.concat(Stream.of(first), others.stream()).toList();
  }

  /** A number of a score. */
  private interface Share {
    double of(RecallScore score);
  }

  /** A count of a score. */
  private interface Errors {
    long of(RecallScore score);
  }

  private TableText table(
      RecallGroup group,
      String title,
      BiFunction<RecallDetails.Errors, RecallScore, Double> ofRule,
      BiFunction<RecallScore, Double, Interval> interval,
      Share share,
      Errors errors,
      List<String> caption) {
    boolean areTokens = title.startsWith("Right tokens");
    List<Integer> lengths = group.lengths();
    List<String> header = new ArrayList<>(List.of("length"));
    lengths.forEach(length -> header.add(Numbers.count(length)));
    List<List<Entry>> rows =
        group.models().stream()
            .map(
                model ->
                    TableText.line(
                        model.heading(group.hasSeeds()),
                        lengths.stream()
                            .map(
                                at -> cell(group.at(model, at), interval, share, errors, areTokens))
                            .toArray(Entry[]::new)))
            .toList();
    List<List<Entry>> foot = new ArrayList<>();
    if (areTokens) {
      foot.add(line("guess", group, score -> score.details().chance()));
    }
    List<RecallDetails.Errors> rules = group.scores().get(0).details().baselines();
    for (int i = 0; i < rules.size(); i++) {
      int rule = i;
      foot.add(
          line(
              rules.get(i).rule(),
              group,
              score -> ofRule.apply(score.details().baselines().get(rule), score)));
    }
    return new TableText(title, header, rows, foot, caption, "l" + "r".repeat(lengths.size()));
  }

  /** What is known without a model. All models read the same strings. */
  private static List<Entry> line(String name, RecallGroup group, Share share) {
    return TableText.line(
        name,
        group.lengths().stream()
            .map(length -> group.ofAnyModel(length).stream().mapToDouble(share::of).average())
            .map(mean -> Entry.of(Proportion.percent(mean.orElseThrow())))
            .toArray(Entry[]::new));
  }

  /** One depth has an interval and a verdict; several depths have their mean. */
  private Entry cell(
      List<RecallScore> scores,
      BiFunction<RecallScore, Double, Interval> interval,
      Share share,
      Errors errors,
      boolean areTokens) {
    if (scores.isEmpty()) {
      return Entry.of(Numbers.MISSING);
    }
    String percent =
        Proportion.percent(scores.stream().mapToDouble(share::of).average().orElseThrow());
    long wrong = scores.stream().mapToLong(errors::of).sum();
    if (!scores.get(0).isLearned()) {
      return Entry.of(percent + ", " + Entry.NOT_LEARNED);
    }
    String text = "%s, %s wrong".formatted(percent, Numbers.count(wrong));
    if (scores.size() > 1) {
      return Entry.of(text);
    }
    Interval bounds = interval.apply(scores.get(0), confidence);
    String verdict = areTokens ? ", " + scores.get(0).verdict(confidence).words() : "";
    return new Entry(
        text + verdict,
        "(%s–%s)".formatted(Proportion.percent(bounds.low()), Proportion.percent(bounds.high())),
        "");
  }

  /** A line for each score. */
  String csv(List<RecallScore> scores) {
    return HEADER + scores.stream().map(this::line).collect(Collectors.joining("\n", "", "\n"));
  }

  private String line(RecallScore score) {
    AccuracyResult line = score.line();
    Interval strings = score.stringInterval(confidence);
    Interval tokens = score.tokenInterval(confidence);
    return Stream.of(
            name(line),
            line.strings().length(),
            line.strings().count(),
            line.errors(),
            line.accuracy(),
            strings.low(),
            strings.high(),
            score.tokens().count(),
            score.tokens().errors(),
            score.tokens().accuracy(),
            tokens.low(),
            tokens.high(),
            score.details().chance(),
            score.details().decoys() == null ? "" : score.details().decoys(),
            score.verdict(confidence).words())
        .map(Object::toString)
        .collect(Collectors.joining(","));
  }

  private static String name(AccuracyResult line) {
    return "%s,%s,%s,%s,%s"
        .formatted(
            line.run(),
            line.subject().scheme(),
            line.subject().seed(),
            line.strings().task(),
            line.strings().draw().label().replace(",", ";"));
  }

  /** A line for each bin of distances of each score. */
  static String distances(List<RecallScore> scores) {
    return scores.stream()
        .flatMap(
            score ->
                score.details().distances().stream()
                    .map(
                        bin ->
                            String.format(
                                Locale.ROOT,
                                "%s,%d,%d,%d,%d\n",
                                name(score.line()),
                                score.line().strings().length(),
                                bin.longest(),
                                bin.count(),
                                bin.errors())))
        .collect(
            Collectors.joining(
                "", "run,scheme,seed,task,settings,length,longest_distance,tokens,errors\n", ""));
  }
}
